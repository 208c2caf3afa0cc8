import type { UiMessages } from '../../text/en/ui.ts'
import { copyText } from '../copy-text.ts'
import { commandForms, type CommandForm } from './commands.ts'
import styles from './rich.module.css'

const CALLOUT = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION|CONNECTION)\][ \t]*\n?/i
const MAX_ROWS = 50
const SAID_MS = 1500

/** Adds callouts, copy buttons and safe links to rendered Markdown. Modifies the fragment in place. */
export function decorate(fragment: DocumentFragment, messages: UiMessages): void {
  // Code is always left to right, also inside right-to-left text.
  for (const code of fragment.querySelectorAll('code')) code.dir = 'ltr'
  for (const quote of fragment.querySelectorAll('blockquote')) decorateQuote(quote, messages)
  for (const block of fragment.querySelectorAll('pre')) decorateCode(block, messages)
  for (const link of fragment.querySelectorAll('a')) decorateLink(link, messages)
  for (const image of fragment.querySelectorAll('img')) decorateImage(image, messages)
  for (const table of fragment.querySelectorAll('table')) wrapTable(table)
  for (const clock of fragment.querySelectorAll<HTMLElement>('[data-pn-timer]')) clock.dir = 'auto'
  // The organisers' language is independent of the page's.
  for (const block of fragment.children) if (block instanceof HTMLElement) block.dir ||= 'auto'
}

function decorateQuote(quote: HTMLQuoteElement, messages: UiMessages) {
  const first = quote.querySelector('p')?.firstChild
  const kind = first instanceof Text ? CALLOUT.exec(first.data)?.[1]?.toLowerCase() : undefined
  if (!(first instanceof Text) || kind === undefined) return
  first.data = first.data.replace(CALLOUT, '')
  if (kind === 'connection') return quote.replaceWith(connectionBlock(linesOf(quote), messages))
  const title = element('p', styles.calloutTitle, messages.callout[kind as keyof UiMessages['callout']])
  // The title is in the page language and must not determine the direction of the rest. Same for buttons and
  // timer.
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
    .slice(0, MAX_ROWS)
}

function connectionBlock(lines: readonly string[], messages: UiMessages): HTMLElement {
  const block = element('div', styles.connection)
  block.setAttribute('role', 'group')
  block.setAttribute('aria-label', messages.connection)
  block.dataset['connection'] = ''
  for (const line of lines) {
    const row = element('div', styles.row)
    const forms = commandForms(line)
    row.append(
      shownLine(line),
      copyButton(messages.copy, line, messages),
      ...forms.map((form) => formButton(form, messages)),
    )
    block.append(row)
  }
  if (lines.length > 1) block.append(copyButton(messages.copyAll, lines.join('\n'), messages))
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

function formButton({ name, text }: CommandForm, messages: UiMessages): HTMLElement {
  return copyButton(name, text, messages)
}

function decorateCode(block: HTMLPreElement, messages: UiMessages) {
  const frame = element('div', styles.code)
  block.replaceWith(frame)
  block.tabIndex = 0
  // Also places the button at the right end.
  frame.dir = 'ltr'
  block.setAttribute('role', 'region')
  block.setAttribute('aria-label', messages.codeBlock)
  frame.append(block, copyButton(messages.copy, block.textContent.replace(/\n$/, ''), messages))
}

function decorateLink(link: HTMLAnchorElement, messages: UiMessages) {
  link.rel = 'noopener noreferrer'
  if (!/^https?:$/.test(link.protocol) || link.host === location.host) return
  link.target = '_blank'
  const note = element('span', styles.away, ' ↗')
  note.setAttribute('role', 'img')
  note.setAttribute('aria-label', ` (${messages.opensNewTab})`)
  link.append(note)
}

function decorateImage(image: HTMLImageElement, messages: UiMessages) {
  // An image without alt text is decorative; without the attribute, screen readers would read its URL.
  image.alt = image.getAttribute('alt') ?? ''
  image.loading = 'lazy'
  image.decoding = 'async'
  image.className = styles.image ?? ''
  if (image.closest('a')) return
  const link = element('a', styles.imageLink)
  link.href = image.src
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  link.title = messages.opensFullSize
  if (image.alt === '') link.setAttribute('aria-label', messages.opensFullSize)
  image.replaceWith(link)
  link.append(image)
}

function wrapTable(table: HTMLTableElement) {
  const frame = element('div', styles.tableFrame)
  frame.tabIndex = 0
  table.replaceWith(frame)
  frame.append(table)
}

function copyButton(name: string, text: string, messages: UiMessages): HTMLButtonElement {
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
      () => say(messages.copied),
      () => say(messages.failed),
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
