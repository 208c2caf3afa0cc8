import { createTokens } from '../../../features/people/accounts/tokens.ts'
import type { ImportedContest } from '../contest.ts'
import type { Report } from '../report.ts'

export interface TokenCheck {
  readonly report: Report
  readonly loginTimeoutMs: number
  /** The key that the server will use. */
  readonly key: Buffer
  readonly sourceKey: Buffer | null
  readonly knownToken: string | null
}

/** Whether the tokens of all teams stay valid: their ids are kept, so it depends on the key alone. */
export function checkTokens(
  contest: Pick<ImportedContest, 'teams'>,
  { report, key, sourceKey, knownToken, loginTimeoutMs }: TokenCheck,
): void {
  if (knownToken !== null) {
    const tokens = createTokens({ key, now: () => 0, loginTimeoutMs })
    const teamId = tokens.open(knownToken, ['auth', 'team'])?.teamId
    if (teamId === undefined)
      report.loss('tokens', 'The given token cannot be opened with the token key: tokens become invalid.')
    else if (!contest.teams.some(({ id }) => id === teamId))
      report.problem('known-token', 'The given token belongs to a team that is not in the source.')
    return
  }
  if (sourceKey === null)
    report.loss(
      'tokens',
      'Tokens stay valid only with the token key of rCTF, which is not known. Give its configuration, or set `tokenKey` and check it with a token of a team.',
    )
  else if (!key.equals(sourceKey))
    report.loss(
      'tokens',
      'The configuration sets another `tokenKey` than rCTF: the tokens of all teams become invalid.',
    )
}
