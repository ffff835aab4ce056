package facts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// FormatError says what is wrong with a context file, never what is in it.
type FormatError struct {
	Where   string // path within the context, or line:column
	Problem string
}

// Error is one line.
func (e *FormatError) Error() string {
	if e.Where == "" {
		return e.Problem
	}
	return e.Where + ": " + e.Problem
}

// Decode reads the file form of a context, JSON or YAML. Keys that no schema
// knows are ignored; a value of another kind than the schema says is kept as it
// is, and operators treat it as what it is.
func Decode(name string, data []byte) (*Snapshot, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(data) {
		return nil, &FormatError{Problem: "the context is not valid UTF-8"}
	}
	root, err := decodeTree(name, data)
	if err != nil {
		return nil, err
	}
	if root.Kind() != Object && root.Kind() != Absent {
		return nil, &FormatError{Problem: "the context must be an object with attachments, visual, clipboard, … not " + root.Kind().String()}
	}
	parts := Parts{Values: root}
	decodeElements(name, root.Field("visual"), maxElements, &parts)
	return NewSnapshot(parts), nil
}

// decodeTree reads the text as nested values. JSON has a reader of its own: it
// is what programs send, and it may hold a large tree of elements.
func decodeTree(name string, data []byte) (Value, error) {
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	if len(trimmed) > 0 && trimmed[0] == '{' {
		if v, ok := scanJSON(data); ok {
			return v, nil
		}
		v, err := decodeJSON(data)
		if err == nil {
			return v, nil
		}
		if node, problems := document.ParseYAML(diag.NewSource(name, string(data))); len(problems) == 0 {
			return fromNode(node), nil // a YAML flow mapping
		}
		return Value{}, err
	}
	source := diag.NewSource(name, string(data))
	node, problems := document.ParseYAML(source)
	if len(problems) > 0 {
		pos := source.Position(problems[0].Span.Start)
		return Value{}, &FormatError{Where: fmt.Sprintf("%d:%d", pos.Line, pos.Column), Problem: "the context is not valid YAML: " + yamlProblem(problems[0])}
	}
	if node == nil {
		return Value{}, nil
	}
	return fromNode(node), nil
}

func decodeJSON(data []byte) (Value, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber() // a double rounds
	v, err := readJSON(dec, 0)
	if err == nil {
		if _, more := dec.Token(); !errors.Is(more, io.EOF) {
			err = errMoreValues
		}
	}
	if err != nil {
		source := diag.NewSource("", string(data))
		pos := source.Position(int(dec.InputOffset()))
		return Value{}, &FormatError{Where: fmt.Sprintf("%d:%d", pos.Line, pos.Column), Problem: "the context is not valid JSON: " + jsonProblem(err)}
	}
	return v, nil
}

// jsonProblem words a JSON error without quoting the text around it.
func jsonProblem(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends too early"
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return "a character is not allowed here"
	}
	if errors.Is(err, errTooDeep) || errors.Is(err, errMoreValues) || errors.Is(err, errKeyTwice) {
		return err.Error()
	}
	return "it cannot be read"
}

// yamlProblem words a YAML problem without quoting keys and values.
func yamlProblem(p document.Problem) string {
	switch p.Kind {
	case document.DuplicateKey:
		return "a key stands here a second time"
	case document.UnsupportedYAML, document.UnknownTag:
		return "something here has no JSON counterpart: an alias, a tag or a key that is no text"
	}
	message, _, _ := strings.Cut(p.Message, "\n")
	if strings.HasPrefix(message, "the YAML cannot be read") {
		return "it cannot be read here"
	}
	return message
}

var (
	errTooDeep    = fmt.Errorf("nested deeper than %d levels", maxJSONDepth)
	errMoreValues = errors.New("more than one value")
	errKeyTwice   = errors.New("a key stands twice in the object that ends here")
)

const maxJSONDepth = 5_000

func readJSON(dec *json.Decoder, depth int) (Value, error) {
	token, err := dec.Token()
	if err != nil {
		return Value{}, err
	}
	if depth > maxJSONDepth {
		return Value{}, errTooDeep
	}
	switch t := token.(type) {
	case string:
		return Text(t), nil
	case json.Number:
		v, ok := ParseNumber(t.String())
		if !ok {
			v = beyond()
		}
		return v, nil
	case bool:
		return Flag(t), nil
	case json.Delim:
		if t == '[' {
			return readJSONArray(dec, depth)
		}
		return readJSONObject(dec, depth)
	}
	return Value{}, nil // null
}

func readJSONArray(dec *json.Decoder, depth int) (Value, error) {
	items := []Value{}
	for dec.More() {
		v, err := readJSON(dec, depth+1)
		if err != nil {
			return Value{}, err
		}
		items = append(items, v)
	}
	_, err := dec.Token()
	return List(items...), err
}

func readJSONObject(dec *json.Decoder, depth int) (Value, error) {
	fields := []Field{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return Value{}, err
		}
		v, err := readJSON(dec, depth+1)
		if err != nil {
			return Value{}, err
		}
		fields = append(fields, Field{key.(string), v})
	}
	if keyTwice(fields) {
		return Value{}, errKeyTwice
	}
	_, err := dec.Token()
	return Fields(fields...), err
}

func fromNode(n *document.Node) Value {
	switch n.Kind {
	case document.Null:
		return Value{}
	case document.Bool:
		b, _ := n.Bool()
		return Flag(b)
	case document.Int, document.Float:
		if v, ok := ParseNumber(n.Decimal()); ok {
			return v
		}
		return beyond()
	case document.Sequence:
		items := make([]Value, len(n.Items))
		for i, item := range n.Items {
			items[i] = fromNode(item)
		}
		return List(items...)
	case document.Mapping:
		fields := make([]Field, len(n.Entries))
		for i, e := range n.Entries {
			fields[i] = Field{e.Key.Text, fromNode(e.Value)}
		}
		return Fields(fields...)
	default:
		return Text(n.Text)
	}
}
