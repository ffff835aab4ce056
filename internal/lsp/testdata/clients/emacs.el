;;; Emacs and Eglot as a client: emacs --batch -q -l emacs.el FOLDER PROGRAM  -*- lexical-binding: t -*-
(unless (require 'eglot nil t) ; Emacs has it from 29 on; before, it is a package
  (package-initialize)
  (unless (require 'eglot nil t)
    (princ "eglot is not installed\n")
    (kill-emacs 77)))
(require 'flymake)

(defvar folder (nth 0 command-line-args-left))
(defvar program (nth 1 command-line-args-left))
(setq command-line-args-left nil)

(defun check (condition what)
  (unless condition
    (message "emacs: %s" what)
    (kill-emacs 1)))

(defun wait (what condition)
  (with-timeout (20 (check nil (concat "waited in vain for " what)))
    (while (not (funcall condition))
      (accept-process-output nil 0.05))))

(defun codes ()
  (sort (mapcar (lambda (d) (flymake-diagnostic-text d)) (flymake-diagnostics)) #'string<))

(defun ask (method &rest more)
  (jsonrpc-request (eglot-current-server) method (append (eglot--TextDocumentPositionParams) more)))

(setq eglot-confirm-server-edits nil
      eglot-confirm-server-initiated-edits nil
      eglot-sync-connect 20
      eglot-autoshutdown nil
      make-backup-files nil)
(add-to-list 'eglot-server-programs `((text-mode :language-id "markdown") . (,program "lsp")))
(find-file (expand-file-name ".pertain/strategies/a.strategy.md" folder))
(text-mode)
(apply #'eglot (eglot--guess-contact))
(flymake-start)
(wait "diagnostics" (lambda () (= (length (codes)) 2)))
(check (string-match-p "can never be" (apply #'concat (codes))) "another diagnostic")

(goto-char (point-min))
(search-forward "lin")
(check (seq-some (lambda (i) (equal (plist-get i :label) "linux")) (plist-get (ask :textDocument/completion) :items)) "no completion")
(goto-char (point-min))
(search-forward "equ")
(check (string-prefix-p "`equals`" (plist-get (plist-get (ask :textDocument/hover) :contents) :value)) "no hover")
(goto-char (point-min))
(search-forward "./ba")
(check (string-suffix-p "/base.md" (plist-get (ask :textDocument/definition) :uri)) "no definition")

(goto-char (point-min))
(search-forward "lin")
(let* ((place (eglot--TextDocumentPositionParams))
       (range (list :start (plist-get place :position) :end (plist-get place :position)))
       (actions (jsonrpc-request (eglot-current-server) :textDocument/codeAction
                                 (list :textDocument (plist-get place :textDocument) :range range
                                       :context (list :diagnostics [] :only ["quickfix"])))))
  (check (= (length actions) 1) "no fix")
  (eglot--apply-workspace-edit (plist-get (aref actions 0) :edit) nil))
(goto-char (point-min))
(check (search-forward "linux" nil t) "it is not fixed")
(eglot--signal-textDocument/didChange) ; what a person's pause would do
(wait "the fix" (lambda () (= (length (codes)) 1)))

(goto-char (point-min))
(search-forward "x.ol")
(eglot-rename "x.new")
(goto-char (point-min))
(check (search-forward "x.new" nil t) "it is not renamed")
(eglot-format-buffer)
(goto-char (point-min))
(check (looking-at-p "---\nschema:") "it is not formatted")
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server) nil 10)
(princ (format "emacs %s\n" emacs-version))
(kill-emacs 0)
