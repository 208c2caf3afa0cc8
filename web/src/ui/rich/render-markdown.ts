import createPurifier from 'dompurify'
import { Marked } from 'marked'
import { footnoteExtensions } from './footnotes.ts'
import { mathsExtensions } from './maths-syntax.ts'
import { plainMarkup } from './raw-html.ts'

/** Longer texts are truncated, because the visitor's browser parses them. */
const MAX_CHARACTERS = 200_000

const TAGS =
  'a b blockquote br code del details div em h1 h2 h3 h4 h5 h6 hr i img kbd li ol p pre s samp small span strong sub summary sup table tbody td tfoot th thead tr ul var'
const ATTRIBUTES = ['href', 'src', 'alt', 'title', 'align', 'colspan', 'rowspan', 'start', 'open']
/** Marks of ours, which are no addresses. */
const MARKS = ['data-pn-timer', 'data-pn-math', 'data-pn-code', 'data-pn-note', 'data-pn-note-reference']

/** Of programs that players use. Others, such as `javascript:`, `data:` or `file:`, run code or read the reader's disk. */
const SCHEMES = 'mailto|tel|ssh|sftp|ftps?|telnet|vnc|ircs?|magnet|matrix|tg|xmpp'
/** Allows http(s), these schemes, anchors and paths of this site. URLs with `//` or other schemes are removed. */
const ADDRESS = new RegExp(
  String.raw`^(?:https?:\/\/|(?:${SCHEMES}):|#|\/(?!\/)|\.{0,2}\/?[\w-]+(?:[./?#]|$))`,
  'i',
)
const TIMER = /<timer\s*\/?>(?:\s*<\/timer>)?/gi
/** A tag at the start of the rest of the text, but neither a comment nor an address in brackets. */
const TAG = /^ {0,3}<\/?([a-z][^\s/>]*)/i

const allowed = { tags: new Set(TAGS.split(' ')), attributes: new Set([...ATTRIBUTES, ...MARKS]), isElement }

function isElement(name: string): boolean {
  return (
    /^[a-z][a-z0-9]*$/i.test(name) && !(document.createElement(name) instanceof globalThis.HTMLUnknownElement)
  )
}

/** Undefined, which makes the `<` a text, for what only looks like HTML; false leaves it to the library. */
function onlyHtml(src: string): false | undefined {
  const name = TAG.exec(src)?.[1]
  return name === undefined || name.toLowerCase() === 'timer' || isElement(name) ? false : undefined
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '')

const marked = new Marked({
  gfm: true,
  extensions: [...mathsExtensions(escape), ...footnoteExtensions(escape)],
  tokenizer: {
    html: onlyHtml,
    tag: onlyHtml,
    // `<std::string>` is no address.
    autolink: (src) => (/^<[a-z][\w+.-]*:/i.test(src) && !ADDRESS.test(src.slice(1)) ? undefined : false),
  },
  renderer: {
    // The sanitizer would remove a form control, and the state with it.
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    code({ text, lang = '' }) {
      const language = /^[\w+#-]*/.exec(lang)?.[0] ?? ''
      return `<pre><code data-pn-code="${language}">${escape(text)}\n</code></pre>\n`
    },
    // An unclosed element would swallow the following text.
    html: ({ text }) => plainMarkup(text.replaceAll(TIMER, '<span data-pn-timer="1"></span>'), allowed),
  },
})

/**
 * Renders organisers' Markdown as a fragment with only text, structure, links and images: no scripts, styles,
 * classes, forms or frames.
 */
export function renderMarkdown(text: string): DocumentFragment {
  const html = marked.parse(text.slice(0, MAX_CHARACTERS), { async: false })
  return createPurifier.sanitize(html, {
    ALLOWED_TAGS: TAGS.split(' '),
    ALLOWED_ATTR: [...ATTRIBUTES, ...MARKS],
    ADD_URI_SAFE_ATTR: MARKS,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: ADDRESS,
    RETURN_DOM_FRAGMENT: true,
  })
}
