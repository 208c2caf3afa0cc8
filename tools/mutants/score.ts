import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { countProblems } from '../../server/src/ops/selftest/report.ts'
import { runSelftest, type Outcome, type SelftestOptions } from '../../server/src/ops/selftest/run.ts'
import { buildServer } from './build.ts'
import type { Mutant } from './mutant.ts'
import { startStaging, type Staging, type StagingOptions } from './staging.ts'

export type TestDatabases = Pick<StagingOptions, 'serverUrl' | 'template'>

export interface Verdict {
  readonly mutant: Mutant
  /** The self-test checks that reported a problem. */
  readonly caughtBy: readonly string[]
}

/** Runs the self-test against a staging server, in this process. */
export function attack(
  staging: Staging,
  options: Partial<Pick<SelftestOptions, 'only' | 'signal' | 'progress' | 'force'>>,
): Promise<Outcome> {
  return runSelftest({
    url: staging.url,
    adminToken: staging.adminToken,
    organiserTokens: staging.organiserTokens,
    personLinks: staging.personLinks,
    emailDomain: 'selftest.invalid',
    force: false,
    only: [],
    signal: new AbortController().signal,
    progress: () => {},
    ...options,
  })
}

/** Problems reported for the unchanged server: a check that always reports one detects nothing. */
export async function attackUnchanged(only: readonly string[], databases: TestDatabases): Promise<number> {
  const program = await buildServer('unchanged', null)
  await using staging = await startStaging({ program, ...databases })
  return countProblems((await attack(staging, { only })).results)
}

/** Builds a server without the guard and runs the checks that must detect it. */
export async function tryMutant(mutant: Mutant, databases: TestDatabases): Promise<Verdict> {
  const program = await buildServer(mutant.name, mutant)
  try {
    await using staging = await startStaging({ program, ...databases })
    const { results } = await attack(staging, { only: mutant.caughtBy })
    const caughtBy = results.filter(({ findings }) => findings.length > 0).map(({ name }) => name)
    return { mutant, caughtBy }
  } finally {
    await rm(dirname(program), { recursive: true, force: true })
  }
}

/** For example `caught  permission  banned-teams  by permissions`. */
export function lineOf({ mutant: { name, guard }, caughtBy }: Verdict): string {
  const state = caughtBy.length > 0 ? 'caught' : 'MISSED'
  return `${state}  ${guard.padEnd(11)} ${name.padEnd(26)} ${caughtBy.join(', ')}`
}

/** For example `21/21`. */
export function scoreOf(verdicts: readonly Verdict[]): string {
  return `${verdicts.filter(({ caughtBy }) => caughtBy.length > 0).length}/${verdicts.length}`
}
