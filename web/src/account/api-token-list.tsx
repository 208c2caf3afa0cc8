import type { ApiToken } from '@pennant/contract/api-tokens.ts'
import type { z } from 'zod'
import { apiTokensMessages } from '../text/en/api-tokens.ts'
import { useFormat, useMessages } from '../text/messages.ts'
import { AskButton } from '../ui/layers/confirm.tsx'
import { EmptyState } from '../ui/states/messages.tsx'

type Token = z.output<typeof ApiToken> & { readonly person?: { readonly name: string } | null }

interface ApiTokenListProps {
  readonly tokens: readonly Token[]
  readonly isBusy: boolean
  readonly onRevoke: (id: string) => Promise<unknown>
}

/** API tokens with what they may do and when they were last used. */
export function ApiTokenList({ tokens, isBusy, onRevoke }: ApiTokenListProps) {
  const text = useMessages(apiTokensMessages)
  if (tokens.length === 0) return <EmptyState isPart>{text.none}</EmptyState>
  return (
    <ul className="pn-list pn-gap-4 pn-grid">
      {tokens.map((token) => (
        <li key={token.id} className="pn-grid pn-gap-2">
          <span className="pn-row pn-gap-3">
            <b className="pn-words">
              <bdi>{token.name}</bdi>
            </b>
            <AskButton
              tone="danger"
              aria-label={text.revokeOf(token.name)}
              title={text.revokeTitle(token.name)}
              about={<p>{text.revokeAbout}</p>}
              action={text.revoke}
              busy={isBusy}
              onConfirm={() => onRevoke(token.id)}
            />
          </span>
          <span className="pn-words">
            <code dir="ltr">{token.scopes.join(' ')}</code>
          </span>
          <TokenFacts token={token} />
        </li>
      ))}
    </ul>
  )
}

function TokenFacts({ token }: { readonly token: Token }) {
  const text = useMessages(apiTokensMessages)
  const format = useFormat()
  const { createdAt, expiresAt, isValid, lastUsedAt, lastUsedIp, person } = token
  const ends = expiresAt === null ? text.expiresNever : text.expires(format.dateTime(expiresAt))
  const facts = [
    ...(person === undefined ? [] : [person === null ? text.createdByTeam : text.createdBy(person.name)]),
    text.created(format.dateTime(createdAt)),
    isValid ? ends : text.invalid,
    lastUsedAt === null ? text.unused : text.used(format.dateTime(lastUsedAt), lastUsedIp ?? '?'),
  ]
  return <span className="pn-fine pn-muted pn-words">{facts.join(' · ')}</span>
}
