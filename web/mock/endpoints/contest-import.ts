import * as contract from '@pennant/contract/contest-import.ts'
import { on } from '../handler.ts'

const MAX_BYTES = 1024 ** 3

const state = on(contract.readContestImport, () =>
  contract.goodContestImportState({ running: null, refusal: null, maxBytes: MAX_BYTES }),
)

const REPORT = {
  plan: 'mock',
  source: 'CTFd 3.8.2',
  counts: {
    teams: 42,
    members: 0,
    challenges: 18,
    solves: 311,
    adjustments: 12,
    hints: 9,
    hintPurchases: 31,
    submissions: 1904,
    files: 9,
  },
  findings: [
    {
      severity: 'loss' as const,
      code: 'attemptLimits',
      text: 'Limits on the number of attempts are not imported.',
      count: 2,
      examples: ['Lighthouse', 'Tides'],
    },
    {
      severity: 'note' as const,
      code: 'names',
      text: 'Names of accounts break the rules and change.',
      count: 1,
      examples: ['Ünï becomes Uni'],
    },
  ],
  configuration: 'divisions:\n  students: Students\n',
}

const PROBLEM = {
  severity: 'problem' as const,
  code: 'event-end',
  text: 'The source has no end, or one that is not after the start. Give it with `--end`.',
  count: 1,
  examples: [],
}

/** Every archive is the same contest, which loses something; a file named `broken.zip` has problems. */
const imported = on(contract.importContest, ({ query: { plan }, form }) => {
  const file = form?.get('archive')
  if (file instanceof File && file.name === 'broken.zip') {
    const report = { ...REPORT, counts: null, findings: [PROBLEM] }
    return plan === undefined ? contract.goodContestImportPlan(report) : contract.badContestImport(report)
  }
  if (plan === undefined) return contract.goodContestImportPlan(REPORT)
  return plan === REPORT.plan
    ? contract.goodContestImport({
        ...REPORT,
        secrets: 'team\tUni\tuni@x.example\thttps://ctf.example/verify\n',
      })
    : contract.badContestImportPlan(REPORT)
})

export const contestImportEndpoints = [state, imported]
