-- Neovim, from 0.7 on, as a client: FOLDER=... PROGRAM=... nvim --headless -n -u NONE -S neovim.lua
local folder, program = vim.env.FOLDER, vim.env.PROGRAM

local function finish(text, code)
  io.stdout:write(text .. "\n")
  io.stdout:flush()
  vim.cmd(code == 0 and "qall!" or "cquit " .. code)
end

local function check(condition, what)
  if not condition then
    error(what, 0)
  end
end

local function wait(what, condition)
  check(vim.wait(20000, condition, 10), "waited in vain for " .. what)
end

local function main()
vim.cmd("edit " .. vim.fn.fnameescape(folder .. "/.pertain/strategies/a.strategy.md"))
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ name = "pertain", cmd = { program, "lsp" }, root_dir = folder })
check(id, "the server does not start")
vim.lsp.buf_attach_client(buffer, id)
local client
wait("the server", function()
  client = vim.lsp.get_client_by_id(id)
  return client and client.initialized
end)

local function codes()
  local out = {}
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(out, d.code or d.user_data.lsp.code)
  end
  return table.concat(out, " ")
end

local function find(text, more)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      vim.api.nvim_win_set_cursor(0, { number, column - 1 + (more or 0) })
      return
    end
  end
  check(false, "no " .. text)
end

local function request(method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params or vim.lsp.util.make_position_params(0, client.offset_encoding), 20000)
  local answer = answers and answers[id]
  check(answer and not answer.err, method .. ": " .. vim.inspect(answer))
  return answer.result
end

wait("diagnostics", function() return codes() == "condition.never template.unknown_placeholder" end)

find("linus", 2)
local labels = {}
for _, item in ipairs(request("textDocument/completion").items) do
  labels[item.label] = true
end
check(labels.linux, "no completion")

find("equals", 2)
check(vim.startswith(request("textDocument/hover").contents.value, "`equals`"), "no hover")

find("./base.md", 3)
check(vim.endswith(request("textDocument/definition").uri, "/base.md"), "no definition")

find("linus", 2)
local range = vim.lsp.util.make_range_params(0, client.offset_encoding)
range.context = { diagnostics = {}, only = { "quickfix" } }
local actions = request("textDocument/codeAction", range)
check(#actions == 1, "no fix")
vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
wait("the fix", function() return codes() == "template.unknown_placeholder" end)

find("x.old", 2)
local rename = vim.lsp.util.make_position_params(0, client.offset_encoding)
rename.newName = "x.new"
vim.lsp.util.apply_workspace_edit(request("textDocument/rename", rename), client.offset_encoding)
find("x.new")

if vim.lsp.buf.format then
  vim.lsp.buf.format({ async = false, timeout_ms = 20000 })
else
  vim.lsp.buf.formatting_sync(nil, 20000)
end
check(vim.api.nvim_buf_get_lines(buffer, 1, 2, false)[1] == "schema: everywhere.strategy/v1", "it is not formatted")

check(#request("textDocument/documentSymbol", { textDocument = vim.lsp.util.make_text_document_params(buffer) }) > 3, "no symbols")

client.stop()
wait("the end", function() return client.is_stopped() end)
return "counts in " .. client.offset_encoding
end

local ok, result = xpcall(main, debug.traceback)
finish("neovim: " .. tostring(result), ok and 0 or 1)
