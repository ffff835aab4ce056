// The extension starts `pertain lsp` and lets it talk to the editor; everything else is in the program.
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

// program is the one that the user set: a workspace cannot, since the setting is the machine's, and a relative path would be
// one in the workspace.
function program() {
  const name = vscode.workspace.getConfiguration("pertain").get("path") || "pertain";
  if (name !== path.basename(name) && !path.isAbsolute(name)) {
    throw new Error(`pertain.path is "${name}": write a name in PATH, or an absolute path`);
  }
  return name;
}

async function start() {
  const run = { command: program(), args: ["lsp"] };
  client = new LanguageClient("pertain", "Pertain", { run, debug: run }, {
    documentSelector: [
      { scheme: "file", language: "pertain-strategy" },
      { scheme: "file", language: "pertain-rule" },
      { scheme: "file", language: "markdown" },
      { scheme: "file", pattern: "**/*.mdc" },
      { scheme: "file", pattern: "**/.{cursor,windsurf,cline}rules" },
      { scheme: "file", pattern: "**/*.context.{json,yaml}" },
      { scheme: "file", pattern: "**/*.strategy.test.yaml" },
      { scheme: "file", pattern: "**/pertain/config.yaml" },
    ],
    initializationOptions: { context: vscode.workspace.getConfiguration("pertain").get("context") },
    synchronize: { configurationSection: "pertain" },
  });
  await client.start();
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) {
    await running.stop();
  }
}

async function restart() {
  await stop();
  try {
    await start();
  } catch (error) {
    vscode.window.showErrorMessage(`Pertain's language server does not start: ${error.message}. Is pertain installed?`);
  }
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("pertain.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("pertain.path")) {
        return restart();
      }
    }),
  );
  await restart();
};

exports.deactivate = stop;
