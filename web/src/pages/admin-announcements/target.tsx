import { listTeams, readTeam } from '@pennant/contract/admin-teams.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { requestData } from '../../api/client.ts'
import { challengesQuery, OWN_KEY } from '../../api/queries.ts'
import { useConfig, useOwnTeam } from '../../api/use-contest.ts'
import { adminAnnouncementsMessages } from '../../text/en/admin-announcements.ts'
import { useMessages } from '../../text/messages.ts'
import { Combobox } from '../../ui/fields/combobox.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import type { Form, FormField } from '../../ui/form.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import type { Draft } from './draft.ts'

/** The division, team or challenge of the audience. */
export function Target({ form }: { readonly form: Form<Draft> }) {
  const text = useMessages(adminAnnouncementsMessages)
  const config = useConfig()
  const isOfChallenge = form.values.audience === 'solved' || form.values.audience === 'unsolved'
  const challenges = useQuery({ ...challengesQuery({ bypass: true }), enabled: isOfChallenge }).data ?? []
  if (form.values.audience === 'all') return null
  if (form.values.audience === 'team') return <TeamField {...form.field('target')} />
  const choices = isOfChallenge
    ? challenges.map(({ id, name }) => ({ value: id, label: name }))
    : Object.entries(config?.divisions ?? {}).map(([value, label]) => ({ value, label }))
  return (
    <Select
      {...form.field('target')}
      label={isOfChallenge ? text.challenge : text.division}
      required
      placeholder={text.choose}
      choices={choices}
    />
  )
}

const SEARCH_MS = 300
const FOUND = 20

/** A team by its name, or by its id for those who may not list teams. */
function TeamField(field: FormField<string, 'target'>) {
  const text = useMessages(adminAnnouncementsMessages)
  const perms = useOwnTeam().team?.perms ?? 0
  return hasPermissions(perms, ['usersWrite']) ? (
    <TeamSearch {...field} />
  ) : (
    <TextInput {...field} label={text.teamId} help={text.teamIdHelp} required mono />
  )
}

function TeamSearch(field: FormField<string, 'target'>) {
  const text = useMessages(adminAnnouncementsMessages)
  const [typed, setTyped] = useState('')
  const search = useDebouncedValue(typed.trim(), SEARCH_MS)
  const found = useQuery({
    queryKey: [OWN_KEY, 'announcement-teams', search],
    queryFn: ({ signal }) => {
      const paging = { limit: String(FOUND), offset: '0', sortBy: 'team' as const }
      return requestData(listTeams, { query: search === '' ? paging : { ...paging, search } }, { signal })
    },
    placeholderData: keepPreviousData,
  })
  // Of a stored announcement, or chosen before another search.
  const chosen = useQuery({
    queryKey: [OWN_KEY, 'announcement-team', field.value],
    queryFn: ({ signal }) => requestData(readTeam, { params: { id: field.value } }, { signal }),
    enabled: field.value !== '',
    retry: false,
  })
  const teams = new Map((found.data?.users ?? []).map(({ id, name }) => [id, name]))
  if (chosen.data) teams.set(chosen.data.id, chosen.data.name)
  return (
    <Combobox
      {...field}
      label={text.team}
      required
      placeholder={text.choose}
      onType={setTyped}
      choices={[...teams].map(([value, label]) => ({ value, label }))}
    />
  )
}
