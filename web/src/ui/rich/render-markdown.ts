import createPurifier from 'dompurify'
import { Marked } from 'marked'
import { plainMarkup } from './raw-html.ts'

/** Longer texts are cut: the time to parse them is the visitor's. */
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

/** Web, mail and paths of this site. What begins with `//` or a scheme of another kind is dropped. */
const ADDRESS = /^(?:https?:\/\/|mailto:|#|\/(?!\/)|\.{0,2}\/?[\w-]+(?:[./?#]|$))/i
const TIMER = /<timer\s*\/?>(?:\s*<\/timer>)?/gi

const allowed = { tags: new Set(TAGS.split(' ')), attributes: new Set(ATTRIBUTES) }

const marked = new Marked({
  gfm: true,
  renderer: {
    // A form control would be dropped with its meaning.
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    // Written as an element without end, it would swallow what follows.
    html: ({ text }) => plainMarkup(text.replaceAll(TIMER, '<span data-pn-timer="1"></span>'), allowed),
  },
})

/**
 * Markdown of organisers as a fragment of this document that holds nothing but text, structure, links and images: no
 * scripts, styles, classes, forms or frames.
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
