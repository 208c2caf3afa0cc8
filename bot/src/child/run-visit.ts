import type { Browser } from 'playwright-core'
import type { Visit } from '../author/challenge.ts'
import type { Options } from '../author/options.ts'
import { PrepareOrder, VisitOrder, type LineReport } from '../protocol.ts'
import { createAddresses } from '../proxy/addresses.ts'
import { isDomainAllowed } from '../proxy/domains.ts'
import { startProxy, type Proxy } from '../proxy/proxy.ts'
import { openChannel, type Channel } from './channel.ts'
import { evaluate } from './evaluate.ts'
import { guardNavigation } from './guard.ts'
import { addHooks } from './hooks.ts'
import { isUsual, launch, usualBrowser, type Launching } from './launch.ts'
import { endWithWorker } from './watchdog.ts'

/** Later refusals are not told: a page that knocks everywhere would push all else out of the log. */
const MAX_REFUSALS_TOLD = 20

/** Of a line for operators. */
const MAX_NOTE_CHARS = 2_048

/** The child that makes one visit: gets ready, waits for its order, visits, tells how it ended. */
export async function runVisit(): Promise<void> {
  endWithWorker()
  const channel = openChannel()
  const { surroundings, isWarm } = await channel.next(PrepareOrder)
  const proxy = await startProxy()
  const launching = { surroundings, proxyPort: proxy.port }
  const ahead = isWarm ? await launch(usualBrowser, launching) : null
  ahead?.once('disconnected', leave)
  channel.report({ type: 'ready' })
  const order = await channel.next(VisitOrder)
  ahead?.off('disconnected', leave)
  // A handler that does not wait for all that it began: no reason to fail, and one to tell its author's colleagues.
  process.on('unhandledRejection', (error) =>
    loggerOf(channel).warn('a promise of the handler failed unseen', { reason: reasonOf(error) }),
  )
  try {
    await visit({ ahead, channel, proxy, launching }, order)
    channel.report({ type: 'ended' })
  } catch (error) {
    channel.report({ type: 'ended', reason: reasonOf(error) })
  }
  await channel.flush()
  // The worker ends what is left of us, the browser first.
  process.exit(0)
}

/** Nobody has a use for a visitor whose browser is gone. */
function leave(): void {
  process.exit(1)
}

interface Prepared {
  /** A browser that was launched before the order came. */
  readonly ahead: Browser | null
  readonly channel: Channel
  readonly proxy: Proxy
  readonly launching: Launching
}

async function visit({ ahead, channel, proxy, launching }: Prepared, { code, job }: VisitOrder) {
  const options = evaluate(code)
  const write = (line: Omit<LineReport, 'type'>) =>
    channel.report({ type: 'line', ...line, ...cut(line, options.maxLogValueChars) })
  obeyRules(proxy, { options, write, allowed: launching.surroundings.allowPrivate, job })
  const browser = ahead && isUsual(options) ? ahead : await launch(options, launching)
  // Nothing is kept of a download.
  const context = await browser.newContext({ acceptDownloads: false })
  guardNavigation(context)
  addHooks(context, options.hooksConfig, write)
  channel.report({ type: 'started' })
  const { inputs: input, ...rest } = job
  const seen: Visit = {
    browserContext: context,
    input,
    job: rest,
    output: outputOf(write),
    logger: loggerOf(channel),
  }
  await Promise.race([options.handler(seen), overrun(options), gone(browser)])
}

type VisitRules = {
  readonly options: Options
  readonly write: (line: Omit<LineReport, 'type'>) => void
  readonly allowed: readonly string[]
  readonly job: VisitOrder['job']
}

function obeyRules(proxy: Proxy, { options, write, allowed, job }: VisitRules): void {
  const addresses = createAddresses(allowed, job.instancerInstances)
  const told = new Set<string>()
  proxy.obey({
    isDomainAllowed: (address) => isDomainAllowed(options.restrictDomains, address),
    isAddressAllowed: addresses.isAllowed,
    refused({ origin }) {
      if (told.has(origin) || told.size >= MAX_REFUSALS_TOLD) return
      told.add(origin)
      // One sentence for all reasons: what a name means inside is not the team's to know.
      write({ level: 'warn', prefix: 'network', line: `The admin bot may not visit ${origin}.` })
    },
  })
}

async function overrun({ timeoutMilliseconds }: Options): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, timeoutMilliseconds))
  throw new Error(`The visit took longer than ${timeoutMilliseconds} ms.`)
}

async function gone(browser: Browser): Promise<never> {
  await new Promise((resolve) => browser.once('disconnected', resolve))
  throw new Error('The browser ended before the visit did.')
}

function outputOf(write: (line: Omit<LineReport, 'type'>) => void): Visit['output'] {
  const at = (level: LineReport['level']) => (prefix: string, line: string, extra?: unknown) =>
    write({ level, prefix: String(prefix), line: String(line), extra })
  return { info: at('info'), warn: at('warn'), error: at('error'), fatal: at('fatal') }
}

function loggerOf(channel: Channel): Visit['logger'] {
  const at = (level: 'info' | 'warn' | 'error') => (line: string, extra?: unknown) =>
    channel.report({ type: 'note', level, ...cut({ line: String(line), extra }, MAX_NOTE_CHARS) })
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

/** Cut here already, so that a page that writes books does not fill the pipe. */
function cut({ line, extra }: Pick<LineReport, 'line' | 'extra'>, most: number) {
  const short = { line: line.slice(0, most) }
  if (extra === undefined) return short
  try {
    const text = JSON.stringify(extra)
    return { ...short, extra: text.length <= most ? (JSON.parse(text) as unknown) : text.slice(0, most) }
  } catch {
    return { ...short, extra: String(extra).slice(0, most) }
  }
}

/** One line for the team, without Playwright's colours and its log of calls. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // oxlint-disable-next-line no-control-regex -- colours of terminals begin with a control character
  return (text.replace(/\u001b\[\d+m/g, '').split('\n')[0] ?? '').slice(0, 1000) || 'The handler failed.'
}
