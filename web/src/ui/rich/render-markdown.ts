import createPurifier from 'dompurify'
import { Marked } from 'marked'
import { plainMarkup } from './raw-html.ts'

/** Longer texts are truncated, because the visitor's browser parses them. */
const MOST_CHARACTERS = 200_000

const TAGS =
  'a b blockquote br code del details div em h1 h2 h3 h4 h5 h6 hr i img kbd li ol p pre s samp small span strong sub summary sup table tbody td tfoot th thead tr ul var'
const ATTRIBUTES = [
  'href',
  'src',
  'alt',
  'title',
  'align',
  'colspan',
  'rowspan',
  'start',
  'open',
  'data-pn-timer',
]

/** Allows http(s), mailto, anchors and paths of this site. URLs with `//` or other schemes are removed. */
const ADDRESS = /^(?:https?:\/\/|mailto:|#|\/(?!\/)|\.{0,2}\/?[\w-]+(?:[./?#]|$))/i
const TIMER = /<timer\s*\/?>(?:\s*<\/timer>)?/gi

const allowed = { tags: new Set(TAGS.split(' ')), attributes: new Set(ATTRIBUTES) }

const marked = new Marked({
  gfm: true,
  renderer: {
    // The sanitizer would remove a form control, and the state with it.
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    // An unclosed element would swallow the following text.
    html: ({ text }) => plainMarkup(text.replaceAll(TIMER, '<span data-pn-timer="1"></span>'), allowed),
  },
})

/**
 * Renders organisers' Markdown as a fragment with only text, structure, links and images: no scripts, styles,
 * classes, forms or frames.
 */
export function renderMarkdown(text: string): DocumentFragment {
  const html = marked.parse(text.slice(0, MOST_CHARACTERS), { async: false })
  return createPurifier.sanitize(html, {
    ALLOWED_TAGS: TAGS.split(' '),
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: ADDRESS,
    RETURN_DOM_FRAGMENT: true,
  })
}
