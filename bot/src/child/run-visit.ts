import type { Browser } from 'playwright-core'
import type { Visit } from '../author/challenge.ts'
import type { Options } from '../author/options.ts'
import { cutLine, MAX_NOTE_CHARS, PrepareOrder, VisitOrder, type LineReport } from '../protocol.ts'
import { createAddresses } from '../proxy/addresses.ts'
import { connectDirectly, type Connect } from '../proxy/connect.ts'
import { isDomainAllowed } from '../proxy/domains.ts'
import { connectThrough } from '../proxy/egress.ts'
import { startProxy, type Proxy } from '../proxy/proxy.ts'
import { openChannel, type Channel } from './channel.ts'
import { evaluate } from './evaluate.ts'
import { guardNavigation } from './guard.ts'
import { addHooks } from './hooks.ts'
import { isUsual, launch, usualBrowser, type Launching } from './launch.ts'
import { endWithWorker } from './watchdog.ts'

/** Later refusals are not logged: a page that sends many would push all other lines out of the log. */
const MAX_REPORTED_REFUSALS = 20

/** The child process of one visit: prepares, waits for its order, visits and reports the outcome. */
export async function runVisit(): Promise<void> {
  endWithWorker()
  const channel = openChannel()
  const { surroundings, isWarm, egressPath } = await channel.next(PrepareOrder)
  const proxy = await startProxy()
  const launching = { surroundings, proxyPort: proxy.port }
  const ahead = isWarm ? await launch(usualBrowser, launching) : null
  ahead?.once('disconnected', leave)
  channel.report({ type: 'ready' })
  const order = await channel.next(VisitOrder)
  ahead?.off('disconnected', leave)
  // An unhandled rejection means that the handler did not await everything it started. It does not fail the
  // visit but is reported to the operators.
  process.on('unhandledRejection', (error) =>
    loggerOf(channel).warn('unhandled promise rejection in the handler', { reason: reasonOf(error) }),
  )
  try {
    await visit({ ahead, channel, proxy, launching, egressPath }, order)
    channel.report({ type: 'ended' })
  } catch (error) {
    channel.report({ type: 'ended', reason: reasonOf(error) })
  }
  await channel.flush()
  // The worker ends the remaining processes, the browser first.
  process.exit(0)
}

/** A visitor without a browser is useless. */
function leave(): void {
  process.exit(1)
}

interface Prepared {
  /** A browser launched before the order arrived. */
  readonly ahead: Browser | null
  readonly channel: Channel
  readonly proxy: Proxy
  readonly launching: Launching
  readonly egressPath: string | null
}

async function visit(prepared: Prepared, { code, job }: VisitOrder) {
  const { ahead, channel, proxy, launching, egressPath } = prepared
  const options = evaluate(code)
  // Cut here as well, so that a page that logs megabytes does not fill the pipe.
  const write = (line: Omit<LineReport, 'type'>) =>
    channel.report({ type: 'line', ...line, ...cutLine(line, options.maxLogValueChars) })
  // With isolation the egress applies the address rules, out of reach of the browser and of this process.
  const connect = egressPath
    ? connectThrough(egressPath)
    : connectDirectly(createAddresses(launching.surroundings.allowPrivate, job.instancerInstances))
  obeyRules(proxy, { options, write, connect })
  const browser = ahead && isUsual(options) ? ahead : await launch(options, launching)
  // Downloads are discarded.
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
  readonly connect: Connect
}

function obeyRules(proxy: Proxy, { options, write, connect }: VisitRules): void {
  const reported = new Set<string>()
  proxy.obey({
    isDomainAllowed: (address) => isDomainAllowed(options.restrictDomains, address),
    connect,
    refused({ origin }) {
      if (reported.has(origin) || reported.size >= MAX_REPORTED_REFUSALS) return
      reported.add(origin)
      // One message for all reasons: the team must not learn how internal names resolve.
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
  throw new Error('The browser exited before the visit was complete.')
}

function outputOf(write: (line: Omit<LineReport, 'type'>) => void): Visit['output'] {
  const at = (level: LineReport['level']) => (prefix: string, line: string, extra?: unknown) =>
    write({ level, prefix: String(prefix), line: String(line), extra })
  return { info: at('info'), warn: at('warn'), error: at('error'), fatal: at('fatal') }
}

function loggerOf(channel: Channel): Visit['logger'] {
  const at = (level: 'info' | 'warn' | 'error') => (line: string, extra?: unknown) =>
    channel.report({ type: 'note', level, ...cutLine({ line: String(line), extra }, MAX_NOTE_CHARS) })
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

/** One line for the team, without Playwright's colours and call log. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // oxlint-disable-next-line no-control-regex -- colours of terminals begin with a control character
  return (text.replace(/\u001b\[\d+m/g, '').split('\n')[0] ?? '').slice(0, 1000) || 'The handler failed.'
}
