import { openStream } from '@pennant/contract/stream.ts'
import type { BrowserContext, Page } from 'playwright-core'

interface Quiet {
  readonly quietMs: number
  /** Resolves after this time in any case. */
  readonly limitMs: number
}

/** An expression for the page that resolves when nothing in the document has changed for a while. */
export const quietFor = ({ quietMs, limitMs }: Quiet) => `new Promise((resolve) => {
  const finish = () => { observer.disconnect(); clearTimeout(limit); resolve() }
  let timer = setTimeout(finish, ${quietMs})
  const limit = setTimeout(finish, ${limitMs})
  const observer = new MutationObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(finish, ${quietMs})
  })
  observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true })
})`

/**
 * Pages opened afterwards find no live stream. One never ends, so a page that has one open after half a second is
 * never "idle". Routes of the browser would turn its HTTP cache off, therefore fetch itself is replaced.
 */
export function withoutStream(target: Page | BrowserContext): Promise<unknown> {
  return target.addInitScript((path) => {
    const { fetch } = globalThis
    globalThis.fetch = (input, init) =>
      input === path ? Promise.resolve(new Response(null, { status: 404 })) : fetch(input, init)
  }, openStream.path)
}
