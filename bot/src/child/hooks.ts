import type { BrowserContext, Dialog, Page } from 'playwright-core'
import type { HookOptions } from '../author/options.ts'
import type { LineReport } from '../protocol.ts'

export type Write = (line: Omit<LineReport, 'type'>) => void

/** Logs browser events for the team, as far as the author enabled them. */
export function addHooks(context: BrowserContext, hooks: HookOptions, write: Write): void {
  if (hooks.showConsoleLogs)
    context.on('console', (message) =>
      write({ level: levelOf(message.type()), prefix: 'console', line: message.text() }),
    )
  if (hooks.showBrowserErrors) showErrors(context, write)
  if (hooks.showNavigation) eachPage(context, (page) => showNavigation(page, write))
  if (hooks.showDialogs || hooks.autoDismissDialogs)
    context.on('dialog', (dialog) => onDialog(context, { dialog, hooks, write }))
  if (hooks.limitTabsNumber >= 0) limitTabs(context, hooks, write)
}

function showErrors(context: BrowserContext, write: Write): void {
  context.on('weberror', (webError) => {
    const error = webError.error()
    write({ level: 'error', prefix: 'console', line: `${error.name}: ${error.message}` })
  })
  context.on('requestfailed', (request) => {
    const extra = { error: request.failure()?.errorText }
    write({ level: 'warn', prefix: 'network', line: `${request.method()} ${request.url()}`, extra })
  })
  eachPage(context, (page) =>
    page.on('crash', () => write({ level: 'error', prefix: 'admin-bot', line: 'A page crashed.' })),
  )
}

function showNavigation(page: Page, write: Write): void {
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) write({ level: 'info', prefix: 'navigation', line: frame.url() })
  })
}

interface Opened {
  readonly dialog: Dialog
  readonly hooks: HookOptions
  readonly write: Write
}

function onDialog(context: BrowserContext, { dialog, hooks, write }: Opened): void {
  if (hooks.showDialogs)
    write({ level: 'info', prefix: 'dialog', line: dialog.message(), extra: { type: dialog.type() } })
  // One listener is ours. Without another one no one would close the dialog, and the page would wait forever.
  const hasListener = countDialogListeners(context) > 1 || countDialogListeners(dialog.page()) > 0
  if (hooks.autoDismissDialogs || !hasListener)
    // The page may be closed by now.
    void dialog.dismiss().catch(() => {})
}

/** Playwright's objects are event emitters with `listenerCount`, but its types do not declare it. */
function countDialogListeners(emitter: object | null): number {
  return (emitter as Emitter | null)?.listenerCount('dialog') ?? 0
}

interface Emitter {
  listenerCount(event: string): number
}

function limitTabs(context: BrowserContext, hooks: HookOptions, write: Write): void {
  const { limitTabsNumber: most, limitTabsNumberShowError } = hooks
  eachPage(context, (page) => {
    if (context.pages().length <= most) return
    if (limitTabsNumberShowError)
      write({ level: 'error', prefix: 'admin-bot', line: `A tab was closed: ${most} may be open.` })
    void page.close().catch(() => {})
  })
}

function eachPage(context: BrowserContext, hook: (page: Page) => void): void {
  context.on('page', hook)
}

function levelOf(type: string): LineReport['level'] {
  if (type === 'error' || type === 'assert') return 'error'
  return type === 'warning' ? 'warn' : 'info'
}
