package secret_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestGroundHolds: a program that is called as lists of secrets are is one by its text. What is in doubt is.
func TestGroundHolds(t *testing.T) {
	g := secret.Ground{Tree: files.NewMemory(files.Unix), Folder: "/w", Home: "/home/me"}
	for _, test := range []struct {
		path, text string
		want       bool
	}{
		// Nothing but values.
		{"secrets.py", "secrets = {\n    'ssid': 'home',\n    'password': 'hunter',\n}\n", true},
		{"secrets.py", "# of my board (the small one)\nWIFI = 'swordfish'\n", true},
		{"secrets.py", "PIN = 471123\n", true},
		{"config/secrets.js", "module.exports = {\n  github: `swordfish`,\n};\n", true},
		{"credentials.js", "export default { user: \"bob\", pass: \"fish\" }\n", true},
		{"arduino_secrets.h", "#define SECRET_SSID \"home\"\n#define SECRET_PASS \"letmein\"\n", true},
		{"arduino_secrets.h", "#define SECRET_PIN 47112\n", true},
		{"include/wifi-credentials.h", "const char *ssid = \"home\";\nconst char password[] = \"swordfish\";\n", true},
		{"Secrets.swift", "enum Secrets {\n    static let apiKey = \"swordfish\"\n}\n", true},
		{"lib/secrets.dart", "const apiKey = 'swordfish';\n", true},
		{"credentials.php", "<?php\nreturn [ 'user' => 'bob', 'pass' => 'swordfish' ];\n", true},
		{"credentials.php", "<?php\ndefine('DB_PASSWORD', 'swordfish');\n", true},
		{"credentials.rb", "CREDENTIALS = { :user => \"bob\", :mail => \"swordfish\" }\n", true},
		{"password.sql", "INSERT INTO users VALUES ('bob', 'swordfish');\n", true},
		{"passwords.go", "package x\n\nvar Passwords = map[string]string{\n\t\"bob\": \"swordfish\",\n}\n", true},
		{"secrets.py", "\xff\xfeW\x00=\x00'\x00s\x00w\x00o\x00r\x00d\x00'\x00", true},
		// Values among functions.
		{"src/password.ts", "const password = \"swordfish\"\nexport function check(x: string) {\n  return x === password\n}\n", true},
		{"src/password.ts", "export const check = (password: string) => password === 'swordfish'\n", true},
		{"src/password.ts", "const password = process.env.PW || 'swordfish'\nfunction f() {}\n", true},
		{"src/auth/password.go", "package auth\n\nconst password string = \"swordfish\"\n\nfunc Check(p string) bool { return p == password }\n", true},
		{"src/auth/password.go", "package auth\n\nvar key = []byte{0x01, 0x02, 0x03, 0x04, 0xa5, 0x06, 0x07, 0x08}\n\nfunc Check(p string) bool { return true }\n", true},
		{"src/secret.rs", "const TOKEN: &'static str = \"swordfish\";\nfn f() -> u8 { 1 }\n", true},
		{"src/secrets.py", "def f(x):\n    return x\n\nAPI_TOKEN = \\\n    \"swordfish\"\n", true},
		{"src/secrets.py", "class Secrets:\n    psk: str = \"swordfish\"\n\n    def f(self):\n        pass\n", true},
		{"src/secrets.py", "def f(x, password=\"swordfish\"):\n    pass\n", true},
		{"src/secrets.py", "def f(x):\n    x.set_password(\"swordfish\")\n", true},
		{"src/secrets.py", "def f(x):\n    return os.getenv(\"DB_PASSWORD\", \"swordfish\")\n", true},
		{"src/secrets.py", "def f(x):\n    return {\"bob\": \"hunter22\"}\n", true},
		{"src/secrets.py", "def f(x):\n    return \"ghp_0123456789abcdefghijABCDEFGHIJ012345\"\n", true},
		{"src/Password.java", "class Password {\n  private static final String SECRET_KEY=\"swordfish\";\n  void f() {}\n}\n", true},
		{"src/Password.kt", "object Password {\n  const val apiKey: String=\"swordfish\"\n  fun f() = 1\n}\n", true},
		{"db/password.sql", "CREATE FUNCTION f(x int) -> int;\nALTER USER bob PASSWORD 'swordfish';\n", true},
		{"db/password.sql", "CREATE FUNCTION f(x int) -> int;\nCREATE USER bob IDENTIFIED BY 'swordfish';\n", true},
		{"src/secrets.py", "def f(x):\n    return x\n\nPASSWORDS = \"\"\"\nswordfish\nmackerel\n\"\"\"\n", true},
		{"src/secrets.py", "def f(x):\n    return x.password() == \"swordfish\"\n", true},
		{"src/secrets.py", "def f(x):\n    return 1 # was imported from \"hunter22\"\n", true},
		{"src/password.ts", "function f() {}\nconst password = 'swordfish", true}, // cut
		{"secrets.rb", "TOKENS = <<~END\n  swordfish\nEND\n", true},
		// Programs that are about it.
		{"src/auth/password.ts", "import { hash } from \"./argon2-worker\"\nimport bcrypt from \"bcryptjs1\"\n\nexport async function hashPassword(password: string) {\n  if (password.length < 12) throw new Error(\"Passwords have at least 12 characters\")\n  return hash(password, { type: \"argon2id\" })\n}\n", false},
		{"password.py", "import hashlib\n\ndef check_password(password, stored):\n    \"\"\"Compare in constant time.\"\"\"\n    return hashlib.sha256(password.encode(\"utf-8\")) == stored\n", false},
		{"src/secrets.go", "package secrets\n\nimport (\n\t\"context\"\n\t\"fmt\"\n)\n\nfunc Read(ctx context.Context, name string) (string, error) {\n\treturn \"\", fmt.Errorf(\"there is no secret %q\", name)\n}\n", false},
		{"lib/credentials.rb", "class Credentials\n  def initialize(user, password)\n    @user = user\n    @password = password\n  end\nend\n", false},
		{"src/credentials.ts", "export interface Credentials {\n  user: string\n  password: string\n}\n", false},
		{"src/Secrets.kt", "data class Secrets(val token: String, val user: String)\n", false},
		{"Secrets.tsx", "import React from 'react'\n\nexport function Secrets() {\n  const [password, setPassword] = useState('')\n  return <PasswordInput label=\"Enter what you know\" type=\"password\" value={password} />\n}\n", false},
		{"app/models/password.vue", "<script setup>\nconst show = () => emit('show')\n</script>\n<template><input type=\"password\" placeholder=\"Your password\"></template>\n", false},
		{"password.test.ts", "import { check } from './password'\n\ntest('refuses short ones', () => {\n  expect(check('short')).toBe(false)\n})\n", false},
		{"src/password.css", ".password { color: red }\n", false},
		{"src/password.sql", "CREATE TABLE passwords (id int, hash text);\n", false},
		{"src/password.ts", "const password = \"your-password-here\"\nconst token = `${process.env.TOKEN}`\nfunction f() {}\n", false},
		{"src/password.ts", "", false},
		{"password.py", "class Password:\n    \"\"\"Compares what was typed with what is kept.\"\"\"\n\n    def check(self, password):\n        \"\"\"Tell whether it is\n        the right one.\"\"\"\n        return True\n", false},
		{"src/credentials.go", "package x\n\ntype Credentials struct {\n\tClientSecret string `json:\"client_secret\" yaml:\"client_secret,omitempty\"`\n}\n", false},
		{"lib/secrets.js", "const vault = require('../vault-client')\nmodule.exports = (name) => vault.read(name)\n", false},
		// What else is called is judged as before.
		{"secrets.example.py", "PASSWORD = 'swordfish'\n", false},
		{"src/token.ts", "const password = \"swordfish\"\n", false},
		{"docs/secrets.md", "password = \"swordfish\"\n", false},
		{"src/token.ts", "const token = \"ghp_0123456789abcdefghijABCDEFGHIJ012345\"\n", true},
	} {
		if got := g.Holds("/w/"+test.path, []byte(test.text)); got != test.want {
			t.Errorf("%s: %t\n%s", test.path, got, test.text)
		}
		if (secret.Ground{Tree: g.Tree}).Looks("/w/"+test.path) == false && strings.HasPrefix(test.path, "secrets.") {
			t.Errorf("%s: elsewhere it is judged by its name", test.path)
		}
	}
}

// TestManyLiterals: a text that is made of quotes is looked at in one go; otherwise this takes minutes.
func TestManyLiterals(t *testing.T) {
	g := secret.Ground{Tree: files.NewMemory(files.Unix), Folder: "/w"}
	for _, part := range []string{"\"", "`", "'a", "password ", "\n\n\n", "((((", "x = \"\" ", "def f(", ") ", "0x00 "} {
		text := "func f() {}\n" + strings.Repeat(part, 1<<20/len(part))
		if g.Holds("/w/secrets.go", []byte(text)) != (part == "0x00 ") {
			t.Errorf("%q", part)
		}
	}
}
