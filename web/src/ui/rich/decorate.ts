import type { UiWords } from '../../text/en/ui.ts'
import { copyText } from '../copy-text.ts'
import { commandForms, type CommandForm } from './commands.ts'
import styles from './rich.module.css'

const CALLOUT = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION|CONNECTION)\][ \t]*\n?/i
const MOST_ROWS = 50
const SAID_MS = 1500

/** Gives a rendered text its callouts, copy buttons and safe links. Changes the fragment in place. */
export function decorate(fragment: DocumentFragment, words: UiWords): void {
  // What is no language runs from left to right, also inside a line that does not.
  for (const code of fragment.querySelectorAll('code')) code.dir = 'ltr'
  for (const quote of fragment.querySelectorAll('blockquote')) decorateQuote(quote, words)
  for (const block of fragment.querySelectorAll('pre')) decorateCode(block, words)
  for (const link of fragment.querySelectorAll('a')) decorateLink(link, words)
  for (const image of fragment.querySelectorAll('img')) decorateImage(image, words)
  for (const table of fragment.querySelectorAll('table')) wrapTable(table)
  for (const clock of fragment.querySelectorAll<HTMLElement>('[data-pn-timer]')) clock.dir = 'auto'
  // The organisers write in their language, whatever the page speaks.
  for (const block of fragment.children) if (block instanceof HTMLElement) block.dir ||= 'auto'
}

function decorateQuote(quote: HTMLQuoteElement, words: UiWords) {
  const first = quote.querySelector('p')?.firstChild
  const kind = first instanceof Text ? CALLOUT.exec(first.data)?.[1]?.toLowerCase() : undefined
  if (!(first instanceof Text) || kind === undefined) return
  first.data = first.data.replace(CALLOUT, '')
  if (kind === 'connection') return quote.replaceWith(connectionBlock(linesOf(quote), words))
  const title = element('p', styles.calloutTitle, words.callout[kind as keyof UiWords['callout']])
  // In the language of the page: it says nothing of the direction of what follows. So do the buttons and the timer.
  title.dir = 'auto'
  const callout = element('div', `${styles.callout} ${styles[kind]}`)
  callout.setAttribute('role', 'note')
  callout.append(title, ...quote.childNodes)
  quote.replaceWith(callout)
}

function linesOf(quote: HTMLElement): string[] {
  for (const line of quote.querySelectorAll('br')) line.replaceWith('\n')
  const blocks = Array.from(quote.children, (child) => child.textContent)
  return blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, MOST_ROWS)
}

function connectionBlock(lines: readonly string[], words: UiWords): HTMLElement {
  const block = element('div', styles.connection)
  block.setAttribute('role', 'group')
  block.setAttribute('aria-label', words.connection)
  block.dataset['connection'] = ''
  for (const line of lines) {
    const row = element('div', styles.row)
    const forms = commandForms(line)
    row.append(
      shownLine(line),
      copyButton(words.copy, line, words),
      ...forms.map((form) => formButton(form, words)),
    )
    block.append(row)
  }
  if (lines.length > 1) block.append(copyButton(words.copyAll, lines.join('\n'), words))
  return block
}

function shownLine(line: string): HTMLElement {
  const code = element('code', styles.line, /^https?:\/\//i.test(line) ? '' : line)
  code.dir = 'ltr'
  if (code.textContent === '') {
    const link = element('a', '', line)
    link.href = line
    code.append(link)
  }
  return code
}

function formButton({ name, text }: CommandForm, words: UiWords): HTMLElement {
  return copyButton(name, text, words)
}

function decorateCode(block: HTMLPreElement, words: UiWords) {
  const frame = element('div', styles.code)
  block.replaceWith(frame)
  block.tabIndex = 0
  // The button too stands where lines end.
  frame.dir = 'ltr'
  block.setAttribute('role', 'region')
  block.setAttribute('aria-label', words.codeBlock)
  frame.append(block, copyButton(words.copy, block.textContent.replace(/\n$/, ''), words))
}

function decorateLink(link: HTMLAnchorElement, words: UiWords) {
  link.rel = 'noopener noreferrer'
  if (!/^https?:$/.test(link.protocol) || link.host === location.host) return
  link.target = '_blank'
  const note = element('span', styles.away, ' ↗')
  note.setAttribute('role', 'img')
  note.setAttribute('aria-label', ` (${words.opensElsewhere})`)
  link.append(note)
}

function decorateImage(image: HTMLImageElement, words: UiWords) {
  // A picture without words is decoration; without the attribute readers would spell its address.
  image.alt = image.getAttribute('alt') ?? ''
  image.loading = 'lazy'
  image.decoding = 'async'
  image.className = styles.image ?? ''
  if (image.closest('a')) return
  const link = element('a', styles.imageLink)
  link.href = image.src
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  link.title = words.opensFullSize
  if (image.alt === '') link.setAttribute('aria-label', words.opensFullSize)
  image.replaceWith(link)
  link.append(image)
}

function wrapTable(table: HTMLTableElement) {
  const frame = element('div', styles.tableFrame)
  frame.tabIndex = 0
  table.replaceWith(frame)
  frame.append(table)
}

function copyButton(name: string, text: string, words: UiWords): HTMLButtonElement {
  const button = element('button', styles.copy, name)
  button.type = 'button'
  button.dir = 'auto'
  const say = (word: string) => {
    button.textContent = word
    setTimeout(() => {
      button.textContent = name
    }, SAID_MS)
  }
  button.addEventListener('click', () => {
    void copyText(text).then(
      () => say(words.copied),
      () => say(words.failed),
    )
  })
  return button
}

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  text = '',
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.textContent = text
  return made
}
