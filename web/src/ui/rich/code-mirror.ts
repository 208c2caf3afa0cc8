import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { markdownKeymap, markdownLanguage, pasteURLAsLink } from '@codemirror/lang-markdown'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { OffersAt } from './typescript.ts'
import type { Change, Selection } from './markdown-format.ts'

/**
 * Handles typing over a selection. The browser's default would keep the old formatting in a `style`
 * attribute, which the CSP blocks.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data: text, inputType } = event
    const { from, to, empty } = view.state.selection.main
    if (inputType !== 'insertText' || text === null || empty || view.composing) return false
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert())
    return true
  },
})

export interface LineMark {
  /** Starts at 1. */
  readonly line: number
  readonly message: string
  readonly severity: 'error' | 'warning'
}

type Language = 'markdown' | 'typescript' | 'plain'

export interface EditorOptions {
  readonly parent: HTMLElement
  readonly root: ShadowRoot
  readonly text: string
  readonly language: Language
  /** From `loadSyntax`. */
  readonly syntax: Extension
  readonly label: string
  readonly readOnly: boolean
  readonly onChange: (text: string) => void
}

export interface Editor {
  /** Does nothing if the text is unchanged, so that the cursor position is kept. */
  setText(text: string): void
  setMarks(marks: readonly LineMark[]): void
  /** Edits the text around the selection and focuses the editor. */
  edit(change: (text: string, selection: Selection) => Change): void
  focus(): void
  destroy(): void
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.heading], color: 'var(--pn-accent)' },
  { tag: [tags.string, tags.monospace], color: 'var(--pn-ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--pn-warn)' },
  { tag: [tags.comment, tags.quote], color: 'var(--pn-muted)' },
  { tag: [tags.typeName, tags.link, tags.url], color: 'var(--pn-link)' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--pn-bad)' },
])

const LOOK = EditorView.theme({
  '&': { color: 'var(--pn-text)', backgroundColor: 'var(--pn-bg)', fontSize: '0.875rem', minHeight: '21rem' },
  '.cm-scroller': { fontFamily: 'var(--pn-font-mono)', lineHeight: '1.25rem', maxHeight: '70vh' },
  '.cm-content': { caretColor: 'var(--pn-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--pn-text)' },
  '&.cm-focused': { outline: '2px solid var(--pn-focus)', outlineOffset: '2px' },
  '.cm-gutters': { color: 'var(--pn-faint)', backgroundColor: 'var(--pn-panel)', border: '0' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--pn-pressed)',
  },
  '.cm-tooltip': {
    color: 'var(--pn-text)',
    backgroundColor: 'var(--pn-panel)',
    border: '1px solid var(--pn-border)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--pn-text)',
    backgroundColor: 'var(--pn-pressed)',
  },
})

/** Keeps the cursor clear of the bars that stick to the edges of the page, as the browser does for fields. */
const CLEAR_OF_EDGES = EditorView.scrollMargins.of(() => {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement)
  return {
    top: Number.parseFloat(scrollPaddingTop) || 0,
    bottom: Number.parseFloat(scrollPaddingBottom) || 0,
  }
})

/** Creates an editor in a shadow root, where it uses constructed style sheets, which the CSP allows. */
export function createEditor(options: EditorOptions): Editor {
  const { parent, root, text, language, syntax, label, readOnly, onChange } = options
  const changed = EditorView.updateListener.of((update) => {
    if (update.docChanged) onChange(update.state.doc.toString())
  })
  const editing = [history(), indentOnInput(), highlightActiveLine(), typedOver]
  // Also sets the side of the line numbers.
  parent.dir = language === 'markdown' ? 'auto' : 'ltr'
  // Prose needs no indentation: there, Tab moves on as in any field.
  const keys = [...defaultKeymap, ...historyKeymap, ...(language === 'markdown' ? [] : [indentWithTab])]
  const view = new EditorView({
    parent,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        drawSelection(),
        bracketMatching(),
        syntaxHighlighting(COLOURS),
        LOOK,
        CLEAR_OF_EDGES,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': label,
          // A scrollable region must be reachable by keyboard; checkers do not recognise contenteditable.
          tabindex: '0',
        }),
        EditorState.readOnly.of(readOnly),
        syntax,
        ...(readOnly ? [] : editing),
        keymap.of(keys),
        changed,
      ],
    }),
  })
  return {
    setText(next) {
      const now = view.state.doc
      if (now.toString() !== next) view.dispatch({ changes: { from: 0, to: now.length, insert: next } })
    },
    setMarks: (marks) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          marks.map((mark) => diagnosticOf(view, mark)),
        ),
      ),
    edit(change) {
      const { from, to } = view.state.selection.main
      const { select, ...changes } = change(view.state.doc.toString(), { from, to })
      view.dispatch({ changes, selection: { anchor: select.from, head: select.to }, scrollIntoView: true })
      view.focus()
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}

/**
 * Loads the extensions of a language. HTML inside Markdown is not highlighted, because its parsers would
 * double the size.
 */
export async function loadSyntax(language: Language, offersAt: OffersAt): Promise<Extension> {
  if (language === 'typescript') return (await import('./typescript.ts')).typescriptSyntax(offersAt)
  return language === 'markdown' ? [keymap.of(markdownKeymap), markdownLanguage, pasteURLAsLink] : []
}

function diagnosticOf(view: EditorView, { line, message, severity }: LineMark): Diagnostic {
  const { from, to } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines))
  return { from, to, severity, message }
}
