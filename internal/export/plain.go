package export

// The agents whose rules are plain text that always applies, a file each.

func amazonq() Form {
	return Form{Agent: "amazonq", Path: ".amazonq/rules", End: ".md", Deep: true, Memory: []string{"AmazonQ.md"}, Always: "every rule"}
}

func roo() Form {
	return Form{Agent: "roo", Path: ".roo/rules", End: ".md", Deep: true, User: ".roo/rules", Always: "every rule"}
}

// kilo reads the older folder only where the newer one is not there.
func kilo() Form {
	return Form{Agent: "kilo", Path: ".kilo/rules", Older: ".kilocode/rules", End: ".md", Deep: true, User: ".kilo/rules", Always: "every rule"}
}
