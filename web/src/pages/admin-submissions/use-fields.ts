import { listAdminChallengesV2 } from '@pennant/contract/admin-challenges.ts'
import { useQuery } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { useConfig } from '../../api/use-contest.ts'
import { refresh } from '../../state/live.ts'
import { adminSubmissionsMessages } from '../../text/en/admin-submissions.ts'
import { useMessages } from '../../text/messages.ts'

const EVERY_MS = 300_000

/** Fields that filter chips support. A team filter usually comes from a link in its sheet. */
export const AUDIT_FIELDS = [
  'result',
  'kind',
  'challenge',
  'category',
  'division',
  'teamStatus',
  'ip',
  'team',
]

export function useFields() {
  const text = useMessages(adminSubmissionsMessages)
  const divisions = useConfig()?.divisions ?? {}
  const { data } = useQuery({
    queryKey: [OWN_KEY, 'audit-challenges'],
    queryFn: ({ signal }) => requestData(listAdminChallengesV2, {}, { signal }),
    ...refresh(EVERY_MS),
  })
  const challenges = data ?? []
  const categories = [...new Set(challenges.map(({ category }) => category))]
  return [
    { id: 'result', label: text.result, choices: choices(text.results) },
    { id: 'kind', label: text.type, choices: choices(text.kinds) },
    {
      id: 'challenge',
      label: text.challenge,
      choices: challenges.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      id: 'category',
      label: text.category,
      choices: categories.map((value) => ({ value, label: value })),
    },
    { id: 'division', label: text.division, choices: choices(divisions) },
    { id: 'teamStatus', label: text.teamStatus, choices: choices(text.teamStatuses) },
    { id: 'ip', label: text.ip },
    { id: 'team', label: text.teamId },
  ]
}

function choices(of: Readonly<Record<string, string>>) {
  return Object.entries(of).map(([value, label]) => ({ value, label }))
}
