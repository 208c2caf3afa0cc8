import { signInLink } from '../../features/people/accounts/mail.ts'
import type { Tokens } from '../../features/people/accounts/tokens.ts'
import type { ImportedTeam } from './contest.ts'
import type { IssuedSecret } from './run.ts'

// Lines of the file of `--tokens`, separated by tabs.

export function clientLines(secrets: readonly IssuedSecret[]): string {
  return secrets.map(({ id, name, secret }) => `external client\t${id}\t${name}\t${secret}\n`).join('')
}

interface Issuing {
  readonly tokens: Pick<Tokens, 'issueTeam'>
  /** Address of the site. */
  readonly origin: string
}

export function teamLines(teams: readonly ImportedTeam[], { tokens, origin }: Issuing): string {
  return teams
    .map(
      ({ id, name, email }) => `team\t${name}\t${email ?? ''}\t${signInLink(origin, tokens.issueTeam(id))}\n`,
    )
    .join('')
}
