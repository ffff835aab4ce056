// Microsoft's own library of the protocol, as a client: protocol.mjs FOLDER PROGRAM
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import * as protocol from "vscode-languageserver-protocol/node";

const [folder, program] = process.argv.slice(2);
const child = spawn(program, ["lsp", "--stdio"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
const ended = new Promise((resolve) => child.on("exit", resolve));
const connection = protocol.createProtocolConnection(
  new protocol.StreamMessageReader(child.stdout),
  new protocol.StreamMessageWriter(child.stdin),
);
connection.onError(([error]) => assert.fail(error));
connection.onUnhandledNotification((message) => assert.fail(message.method));

const published = new Map();
let told = () => {};
connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
  published.set(params.uri, params);
  told();
});
const registered = [];
connection.onRequest(protocol.RegistrationRequest.type, (params) => {
  registered.push(...params.registrations.map((r) => r.method));
});
connection.listen();

// about waits for what is said about a version of a document.
async function about(uri, version) {
  while (published.get(uri)?.version !== version) {
    await new Promise((resolve) => (told = resolve));
  }
  return published.get(uri).diagnostics;
}

const hello = await connection.sendRequest(protocol.InitializeRequest.type, {
  processId: process.pid,
  rootUri: null,
  workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "work" }],
  capabilities: {
    general: { positionEncodings: ["utf-16"] },
    workspace: { didChangeWatchedFiles: { dynamicRegistration: true }, workspaceFolders: true },
  },
});
assert.equal(hello.capabilities.positionEncoding, protocol.PositionEncodingKind.UTF16);
assert.equal(hello.capabilities.textDocumentSync.change, protocol.TextDocumentSyncKind.Incremental);
await connection.sendNotification(protocol.InitializedNotification.type, {});

const file = path.join(folder, ".pertain", "strategies", "a.strategy.md");
const uri = pathToFileURL(file).href;
const text = readFileSync(file, "utf8");
const lines = text.split("\n");
const at = (part, more = 0) => {
  const line = lines.findIndex((l) => l.includes(part));
  return { line, character: lines[line].indexOf(part) + more };
};
await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
  textDocument: { uri, languageId: "markdown", version: 1, text },
});
const diagnostics = await about(uri, 1);
assert.deepEqual(diagnostics.map((d) => d.code), ["condition.never", "template.unknown_placeholder"]);
assert.equal(diagnostics[0].severity, protocol.DiagnosticSeverity.Warning);
assert.deepEqual(diagnostics[0].range, { start: at("linus"), end: at("linus", 5) });
assert.deepEqual(diagnostics[1].range.start, at("{Argumnt}")); // after a character of two units

const textDocument = { uri };
const completion = await connection.sendRequest(protocol.CompletionRequest.type, { textDocument, position: at("linus", 2) });
assert.ok(completion.items.some((i) => i.label === "linux"));
const hover = await connection.sendRequest(protocol.HoverRequest.type, { textDocument, position: at("equals", 2) });
assert.ok(protocol.Hover.is(hover) && hover.contents.value.startsWith("`equals`"));
const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
  textDocument,
  range: diagnostics[0].range,
  context: { diagnostics: [diagnostics[0]], only: [protocol.CodeActionKind.QuickFix] },
});
assert.equal(actions.length, 1);
assert.ok(protocol.CodeAction.is(actions[0]));
assert.deepEqual(actions[0].edit.changes[uri], [{ range: diagnostics[0].range, newText: "linux" }]);
const definition = await connection.sendRequest(protocol.DefinitionRequest.type, { textDocument, position: at("./base.md", 3) });
assert.equal(definition.uri, pathToFileURL(path.join(folder, ".pertain", "strategies", "base.md")).href);
const symbols = await connection.sendRequest(protocol.DocumentSymbolRequest.type, { textDocument });
assert.ok(symbols.every((s) => protocol.DocumentSymbol.is(s)) && symbols.some((s) => s.name === "when"));
const renamed = await connection.sendRequest(protocol.RenameRequest.type, { textDocument, position: at("x.old", 2), newName: "x.new" });
assert.ok(protocol.WorkspaceEdit.is(renamed) && renamed.changes[uri].length === 1);
const formatted = await connection.sendRequest(protocol.DocumentFormattingRequest.type, {
  textDocument,
  options: { tabSize: 2, insertSpaces: true },
});
assert.ok(formatted.length === 1 && protocol.TextEdit.is(formatted[0]));
const hints = await connection.sendRequest(protocol.InlayHintRequest.type, {
  textDocument,
  range: { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } },
});
assert.ok(hints.every((h) => protocol.InlayHint.is(h)) && hints[0].label === "false in here.context.json");

await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
  textDocument: { uri, version: 2 },
  contentChanges: [{ range: diagnostics[0].range, text: "linux" }],
});
assert.deepEqual((await about(uri, 2)).map((d) => d.code), ["template.unknown_placeholder"]);
await assert.rejects(connection.sendRequest("no/such"), { code: protocol.ErrorCodes.MethodNotFound });
assert.deepEqual(registered, ["workspace/didChangeWatchedFiles"]);

await connection.sendNotification(protocol.DidCloseTextDocumentNotification.type, { textDocument });
await about(uri, undefined);
assert.deepEqual(published.get(uri).diagnostics, []);
await connection.sendRequest(protocol.ShutdownRequest.type);
await connection.sendNotification(protocol.ExitNotification.type);
assert.equal(await ended, 0);
connection.dispose();
console.log("every request was answered as the library reads it");
