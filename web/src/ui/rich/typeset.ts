import temml from 'temml'
import 'temml/dist/Temml-Local.css'
import styles from './typeset.module.css'

/** More is not typeset: each takes a millisecond. */
const MAX_FORMULAS = 500
const MAX_CHARACTERS = 5000
/** Bounds macros that expand to themselves; sizes are in em and in points. */
const LIMITS = { maxExpand: 500, maxSize: [20, 300] } as const
const MATHML = 'http://www.w3.org/1998/Math/MathML'

/** Replaces the source of formulas by MathML. One with a mistake stays as it was written, with the reason as its title. */
export function typeset(fragment: DocumentFragment): void {
  const formulas = [...fragment.querySelectorAll<HTMLElement>('[data-pn-math]')]
  for (const formula of formulas.slice(0, MAX_FORMULAS)) {
    const source = formula.textContent
    const made = document.createElement('span')
    try {
      if (source.length > MAX_CHARACTERS) throw new Error(`more than ${MAX_CHARACTERS} characters`)
      const displayMode = formula.dataset['pnMath'] === 'block'
      const tex = source.replace(/^(?:\$\$?|\\[([])/, '').replace(/(?:\$\$?|\\[)\]])$/, '')
      temml.render(tex, made, { ...LIMITS, displayMode, throwOnError: true, trust: false, strict: false })
      if (!isHarmless(made)) throw new Error('not only maths')
      made.firstElementChild?.setAttribute('aria-label', tex.trim())
      formula.dir = 'ltr'
      formula.className = styles.maths ?? ''
      formula.replaceChildren(...made.childNodes)
    } catch (error) {
      formula.className = styles.mistake ?? ''
      formula.title = error instanceof Error ? error.message : ''
    }
  }
}

/** The library makes no links or pictures of a text that is not trusted. */
function isHarmless(made: HTMLElement): boolean {
  return [...made.querySelectorAll('*')].every(
    ({ namespaceURI, localName, attributes }) =>
      (namespaceURI === MATHML || localName === 'span') &&
      [...attributes].every(({ name }) => !/^(?:href|src|id|xlink:.*|on.*)$/.test(name)),
  )
}
