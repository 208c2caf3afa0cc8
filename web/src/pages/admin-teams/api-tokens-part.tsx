import { listTeamApiTokens, revokeTeamApiToken } from '@pennant/contract/api-tokens.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ApiTokenList } from '../../account/api-token-list.tsx'
import { requestData, send } from '../../api/client.ts'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { useListAction } from '../../organisers/use-list-action.ts'
import { refresh } from '../../state/live.ts'
import { apiTokensMessages } from '../../text/en/api-tokens.ts'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Section } from '../../ui/states/panel.tsx'
import { EVERY_MS, teamsKey } from './queries.ts'

function tokensQuery(id: string) {
  return queryOptions({
    queryKey: [...teamsKey, 'api-tokens', id],
    queryFn: ({ signal }) => requestData(listTeamApiTokens, { params: { id } }, { signal }),
    ...refresh(EVERY_MS),
  })
}

/** API tokens of the team and its people, which can be revoked here. */
export function ApiTokensPart({ teamId }: { readonly teamId: string }) {
  const text = useMessages(apiTokensMessages)
  const settings = useMessages(settingsMessages)
  const query = useQuery(tokensQuery(teamId))
  const action = useListAction(teamsKey)
  const revoke = (tokenId: string) =>
    action.run(send(revokeTeamApiToken, { params: { id: teamId, tokenId } }), text.revoked)
  return (
    <Section title={settings.apiTokens} level={3}>
      {query.data ? (
        <ApiTokenList tokens={query.data.tokens} isBusy={action.isPending} onRevoke={revoke} />
      ) : (
        <Waiting query={query} rows={2} />
      )}
      {action.failure && <p role="alert">{action.failure}</p>}
    </Section>
  )
}
