// Started by the editor beside the Pertain extension: asks the editor for what that gives, as a person's keys would, and
// writes the answers, or what was missing, into the file that PERTAIN_PROBE names.
const assert = require("node:assert");
const fs = require("node:fs");
const vscode = require("vscode");

const patience = 60_000; // ms, for a busy machine
const strategy = ".pertain/strategies/plan.strategy.md";
const mistaken = `---
when:
  clipboard.text: { contians: TODO }
name: "Plan this"
id: plan
---
Plan it.
`;

// until asks again and again.
async function until(what, ask) {
  for (const end = Date.now() + patience; Date.now() < end; await new Promise((go) => setTimeout(go, 100))) {
    const answer = await ask();
    if (answer && answer.length !== 0) {
      return answer;
    }
  }
  throw new Error(`the editor never had ${what}`);
}

const run = vscode.commands.executeCommand;
const text = (part) => (typeof part === "string" ? part : (part.value ?? part.label));

async function probe() {
  const told = { editor: vscode.version };
  const folder = vscode.workspace.workspaceFolders[0].uri;
  const file = vscode.Uri.joinPath(folder, strategy);
  fs.writeFileSync(file.fsPath, mistaken);
  fs.writeFileSync(vscode.Uri.joinPath(folder, "now.context.json").fsPath, '{"clipboard": {"text": "TODO: a"}}\n');
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document);
  told.language = document.languageId;
  assert.equal(told.language, "pertain-strategy");
  const at = (word, within = 1) => document.positionAt(document.getText().indexOf(word) + within);

  const found = await until("diagnostics", () => vscode.languages.getDiagnostics(file));
  told.diagnostics = found.map((d) => `${d.range.start.line + 1}:${d.range.start.character + 1} ${text(d.code)} ${d.message}`);
  assert.deepEqual(told.diagnostics, ["3:21 strategy.unknown_operator there is no operator `contians`; did you mean `contains`?"]);
  const actions = await run("vscode.executeCodeActionProvider", file, found[0].range);
  told.actions = actions.map((a) => a.title);
  await vscode.workspace.applyEdit(actions.find((a) => a.title === "Replace by `contains`").edit);
  assert.ok(document.getText().includes("{ contains: TODO }"), "the quick fix changed nothing");
  await until("no diagnostics after the fix", () => vscode.languages.getDiagnostics(file).length === 0);

  const hover = await run("vscode.executeHoverProvider", file, at("contains"));
  told.hover = hover.flatMap((h) => h.contents.map(text)).join("\n");
  assert.match(told.hover, /A string has this part/);
  const words = await run("vscode.executeCompletionItemProvider", file, at("clipboard.text", 4));
  told.completion = words.items.map((i) => text(i.label)).filter((label) => label.startsWith("clipboard."));
  assert.ok(told.completion.includes("clipboard.hasImage"), "no path is offered");
  const hints = await run("vscode.executeInlayHintProvider", file, new vscode.Range(0, 0, document.lineCount, 0));
  told.inlay = hints.map((h) => (typeof h.label === "string" ? h.label : h.label.map(text).join("")));
  assert.ok(told.inlay.includes("true in now.context.json"), "no result is shown");
  told.symbols = (await run("vscode.executeDocumentSymbolProvider", file)).map((s) => s.name);
  assert.ok(told.symbols.includes("when"));
  const renamed = await run("vscode.executeDocumentRenameProvider", file, at("plan\n"), "plans");
  told.renamed = renamed.entries().length;
  assert.equal(told.renamed, 1);
  const edits = await run("vscode.executeFormatDocumentProvider", file, { tabSize: 2, insertSpaces: true });
  const formatted = new vscode.WorkspaceEdit();
  formatted.set(file, edits);
  await vscode.workspace.applyEdit(formatted);
  told.formatted = document.getText().split("\n").slice(1, 4);
  assert.match(told.formatted[0], /^id: /);
  return told;
}

exports.activate = () => {
  // Not waited for: an extension is activated when its function returns, and other extensions wait for that.
  probe().catch((error) => ({ error: String(error.stack || error) })).then((told) => {
    fs.writeFileSync(process.env.PERTAIN_PROBE + ".part", JSON.stringify(told, null, 2) + "\n");
    fs.renameSync(process.env.PERTAIN_PROBE + ".part", process.env.PERTAIN_PROBE);
  });
};
