import type { BotApiMessages } from '../../../text/en/bot-api.ts'
import type { Offer, OffersAt } from '../../../ui/rich/typescript.ts'

type Group = keyof BotApiMessages

/** Type signatures of every name available to bot authors. */
const DETAILS: { readonly [Name in Group]: Readonly<Record<keyof BotApiMessages[Name], string>> } = {
  options: {
    timeoutMilliseconds: 'number',
    inputs: '{ name: { pattern, flags? } }',
    handler: '(visit) => Promise<void>',
    browser: "'chrome' | 'firefox'",
    browserVersion: "'stable'",
    browserArguments: 'string[]',
    extraPrefsFirefox: 'Record<string, string | number | boolean>',
    launchOptionsExtra: 'LaunchOptions',
    maxLogLines: 'number',
    maxLogValueChars: 'number',
    restrictDomains: '{ host?, url? }',
    requireInstancerInstancesRunning: 'boolean',
    hooksConfig: 'Hooks',
  },
  input: {
    pattern: 'string',
    flags: 'string',
  },
  hooks: {
    showConsoleLogs: 'boolean',
    showBrowserErrors: 'boolean',
    showNavigation: 'boolean',
    showDialogs: 'boolean',
    autoDismissDialogs: 'boolean',
    limitTabsNumber: 'number',
    limitTabsNumberShowError: 'boolean',
  },
  domains: {
    host: '{ allowRegex?, disallowRegex? }',
    url: '{ allowRegex?, disallowRegex? }',
  },
  rules: {
    allowRegex: '(RegExp | string)[]',
    disallowRegex: '(RegExp | string)[]',
  },
  visit: {
    browserContext: 'BrowserContext',
    input: 'Record<string, string>',
    job: 'VisitJob',
    output: 'Output',
    logger: 'OperatorLog',
  },
  job: {
    challengeId: 'string',
    configRevision: 'string',
    userId: 'string',
    submittedAt: 'string',
    flag: 'string',
    flags: '{ provider, flag }[]',
    instancerInstances: 'VisitedInstance[]',
  },
  instance: {
    type: 'string',
    host: 'string',
    port: 'number',
    title: 'string',
  },
  output: {
    info: '(prefix: string, line: string, extra?: unknown): void',
    warn: '(prefix: string, line: string, extra?: unknown): void',
    error: '(prefix: string, line: string, extra?: unknown): void',
    fatal: '(prefix: string, line: string, extra?: unknown): void',
  },
  logger: {
    info: '(line: string, extra?: unknown): void',
    warn: '(line: string, extra?: unknown): void',
    error: '(line: string, extra?: unknown): void',
  },
  browserContext: {
    newPage: '(): Promise<Page>',
    addCookies: '(cookies): Promise<void>',
    addInitScript: '(script): Promise<void>',
    clearCookies: '(): Promise<void>',
    route: '(url, handler): Promise<void>',
  },
  page: {
    goto: '(url: string): Promise<Response | null>',
    waitForTimeout: '(milliseconds: number): Promise<void>',
    waitForSelector: '(selector: string): Promise<ElementHandle>',
    locator: '(selector: string): Locator',
    fill: '(selector: string, value: string): Promise<void>',
    click: '(selector: string): Promise<void>',
    evaluate: '(script): Promise<unknown>',
    on: '(event, listener): Page',
    url: '(): string',
    close: '(): Promise<void>',
  },
}

/** Option groups by the path of object keys that leads to them; `*` is a name chosen by the author. */
const KEYS: Readonly<Record<string, Group>> = {
  '': 'options',
  'inputs.*': 'input',
  hooksConfig: 'hooks',
  restrictDomains: 'domains',
  'restrictDomains.host': 'rules',
  'restrictDomains.url': 'rules',
}

const MEMBERS: ReadonlyMap<string, Group> = new Map([
  ['job', 'job'],
  ['instancerInstances', 'instance'],
  ['output', 'output'],
  ['logger', 'logger'],
  ['browserContext', 'browserContext'],
  ['page', 'page'],
] as const)

/** Returns the completions for each position in an admin bot, described in the given language. */
export function authorOffers(messages: BotApiMessages): OffersAt {
  return (place) => {
    const group = place.kind === 'member' ? MEMBERS.get(place.of) : groupAt(place)
    return group === undefined ? [] : offersOf(messages, group)
  }
}

function groupAt(place: Exclude<Parameters<OffersAt>[0], { kind: 'member' }>): Group | undefined {
  const { kind, maker, path } = place
  if (maker !== 'Challenge') return undefined
  if (kind === 'parameter') return path.join('.') === 'handler' ? 'visit' : undefined
  const keys = path[0] === 'inputs' && path.length === 2 ? ['inputs', '*'] : path
  const at = keys.join('.')
  return Object.hasOwn(KEYS, at) ? KEYS[at] : undefined
}

function offersOf(messages: BotApiMessages, group: Group): Offer[] {
  const details: Readonly<Record<string, string>> = DETAILS[group]
  const abouts: Readonly<Record<string, string>> = messages[group]
  return Object.entries(details).map(([name, detail]) => ({ name, detail, about: abouts[name] ?? '' }))
}
