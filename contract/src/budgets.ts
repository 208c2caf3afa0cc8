import type { LimitName } from './limits.ts'

/** The most expensive operation that a request may cause. */
export const costs = {
  memory: 'served from memory',
  render: 'rendered from memory unless cached',
  query: 'queries the database',
  write: 'writes to the database',
  change: 'takes the change lock, which all changes of the contest share',
  mail: 'sends mail',
  outside: 'calls another service',
  picture: 'decodes a picture',
  files: 'stores or looks up files',
} as const

export type Cost = keyof typeof costs

/** The cost of one request and the limits on its frequency. */
export interface Budget {
  readonly cost: Cost
  readonly limits: readonly LimitName[]
  /** Why a route without a rate limit needs none, or what else bounds it. */
  readonly note?: string
}

const PAGES = 'cached pages are free'

/** Budgets that several routes share, by the name that their declarations use. */
const budgets = {
  cachedPage: { cost: 'render', limits: ['pageRenders', 'pageRendersTotal'], note: PAGES },
  searchedPage: {
    cost: 'render',
    limits: ['leaderboardSearches', 'pageRenders', 'pageRendersTotal'],
    note: PAGES,
  },
  sharedBody: { cost: 'memory', limits: [], note: 'one body for all callers, rendered once per change' },
  ownState: {
    cost: 'memory',
    limits: [],
    note: 'reads the team from memory, work bounded by the number of challenges',
  },
  register: {
    cost: 'mail',
    limits: ['registrations', 'mailsToAddress'],
    note: 'without mail it creates the team and takes the change lock; `rateLimits.registerIp` and `rateLimits.registerEmail` add stricter limits',
  },
  recover: {
    cost: 'mail',
    limits: ['recoveries', 'mailsToAddress'],
    note: '`rateLimits.recoverIp` and `rateLimits.recoverEmail` add stricter limits',
  },
  verify: { cost: 'change', limits: ['signIns'] },
  profileUpdate: {
    cost: 'change',
    limits: ['profileNames', 'profileChanges'],
    note: 'two writes of a team at a time',
  },
  setEmail: {
    cost: 'mail',
    limits: ['accountChanges', 'mailsToAddress'],
    note: '`rateLimits.setEmail` adds a stricter limit',
  },
  accountChange: { cost: 'change', limits: ['accountChanges'], note: 'two writes of a team at a time' },
  memberChange: { cost: 'write', limits: ['members'], note: 'two writes of a team at a time' },
  teamRead: { cost: 'query', limits: ['teamReads'] },
  instanceAction: { cost: 'outside', limits: ['instanceActions'] },
  organiserMemory: { cost: 'memory', limits: ['organiserReads'] },
  organiserRead: { cost: 'query', limits: ['organiserReads'] },
  organiserChange: { cost: 'change', limits: ['organiserWrites'] },
  organiserWrite: { cost: 'write', limits: ['organiserWrites'] },
  organiserFiles: { cost: 'files', limits: ['organiserFiles'] },
  workerRead: { cost: 'query', limits: ['workerCalls'] },
  workerWrite: { cost: 'write', limits: ['workerCalls'] },
} as const satisfies Readonly<Record<string, Budget>>

export type BudgetName = keyof typeof budgets

/** The budget of a route, whether it is declared by name or in place. */
export function budgetOf({ budget }: { readonly budget: BudgetName | Budget }): Budget {
  return typeof budget === 'string' ? budgets[budget] : budget
}
