import { listOrganisers } from '@pennant/contract/admin-organisers.ts'
import {
  addOrganiserPerson,
  resetSecondFactor,
  setPersonPermissions,
} from '@pennant/contract/organiser-people.ts'
import { roleOf, roles, type Role } from '@pennant/contract/permissions.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { requestData, send } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { useListAction } from '../../organisers/use-list-action.ts'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { organiserPeopleMessages } from '../../text/en/organiser-people.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { focusWhenShown } from '../../ui/focus-when-shown.ts'
import { Secret } from '../../ui/buttons/secret.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { AskButton } from '../../ui/layers/confirm.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { organiserPeopleQuery, organisersKey, type OrganiserPerson } from './queries.ts'
import { SessionsPart } from './sessions-part.tsx'

/** People in teams with permissions: what each may do, and where they are signed in. For owners. */
export function OrganisersPart() {
  const text = useMessages(organiserPeopleMessages)
  const query = useQuery(organiserPeopleQuery)
  const action = useListAction(organisersKey)
  const columns = useColumns(action)
  return (
    <>
      <Section title={text.title} level={2}>
        <div className="pn-grid pn-gap-4">
          <p className="pn-flat pn-muted">{text.about}</p>
          {query.data ? (
            <DataTable
              cards
              label={text.title}
              columns={columns}
              rows={query.data.people}
              rowId={({ id }) => id}
              rowName={({ name }) => name}
              empty={<EmptyState isPart>{text.noPeople}</EmptyState>}
            />
          ) : (
            <Waiting query={query} rows={3} />
          )}
          {action.failure && <p role="alert">{action.failure}</p>}
          <AddForm />
        </div>
      </Section>
      <SessionsPart />
    </>
  )
}

/** The value for all permissions of the team, which follow it. */
const WHOLE = 'whole'
const NONE = 'none'

type Choice = Role | typeof WHOLE | typeof NONE | 'custom'

function choiceOf(perms: number | null): Choice {
  return perms === null ? WHOLE : perms === 0 ? NONE : (roleOf(perms) ?? 'custom')
}

function permsOf(choice: string): number | null {
  return choice === WHOLE ? null : choice === NONE ? 0 : roles[choice as Role]
}

function useChoices(current: Choice) {
  const text = useMessages(organiserPeopleMessages)
  const teams = useMessages(adminTeamsMessages)
  const names = (Object.keys(roles) as Role[]).map((role) => ({ value: role, label: teams.roles[role] }))
  return [
    { value: NONE, label: text.none },
    ...names,
    { value: WHOLE, label: text.whole },
    ...(current === 'custom' ? [{ value: 'custom', label: text.custom }] : []),
  ]
}

type Action = ReturnType<typeof useListAction>

function useColumns(action: Action): Column<OrganiserPerson>[] {
  const text = useMessages(organiserPeopleMessages)
  return [
    { id: 'name', head: text.name, cell: ({ name }) => <bdi>{name}</bdi> },
    { id: 'team', head: text.team, cell: ({ team }) => <bdi>{team.name}</bdi> },
    {
      id: 'permissions',
      head: text.permissions,
      cell: (person) => <Permissions person={person} action={action} />,
    },
    {
      id: 'factor',
      head: text.factor,
      cell: ({ passkeys, recoveryCodes, needsSecondFactor }) =>
        needsSecondFactor && passkeys + recoveryCodes === 0 ? (
          <strong>{text.factorMissing}</strong>
        ) : (
          text.factorCounts(passkeys, recoveryCodes)
        ),
    },
    {
      id: 'actions',
      head: text.actions,
      stays: true,
      cell: ({ id, name }) => (
        <AskButton
          title={text.resetTitle(name)}
          about={<p>{text.resetAbout}</p>}
          action={text.reset}
          busy={action.isPending}
          onConfirm={async () => {
            await action.run(send(resetSecondFactor, { params: { id } }), text.wasReset(name))
          }}
        />
      ),
    },
  ]
}

function Permissions({ person, action }: { readonly person: OrganiserPerson; readonly action: Action }) {
  const text = useMessages(organiserPeopleMessages)
  const choice = choiceOf(person.ownPerms)
  const save = (value: string) => {
    if (value === 'custom') return
    const body = { data: { perms: permsOf(value) } }
    void action.run(send(setPersonPermissions, { params: { id: person.id }, body }), text.saved(person.name))
  }
  return (
    <Select
      label={text.permissionsOf(person.name)}
      value={choice}
      onChange={save}
      choices={useChoices(choice)}
    />
  )
}

const teamsQuery = {
  queryKey: [OWN_KEY, 'organisers'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => requestData(listOrganisers, {}, { signal }),
}

function AddForm() {
  const text = useMessages(organiserPeopleMessages)
  const action = useListAction(organisersKey)
  const teams = useQuery(teamsQuery).data?.organisers ?? []
  const [link, setLink] = useState<string>()
  const form = useForm({
    initial: { name: '', teamId: '', choice: NONE as string },
    validate: ({ name }) => ({ name: name.trim() === '' ? text.missing : undefined }),
    submit: async ({ name, teamId, choice }) => {
      const params = { id: teamId || (teams[0]?.id ?? '') }
      const asked = send(addOrganiserPerson, { params, body: { data: { name, perms: permsOf(choice) } } })
      const listed = action.run(asked, text.added(name))
      // The link takes the focus before the longer list above pushes the form out of view.
      const response = await asked.catch(() => undefined)
      if (response?.kind === 'goodOrganiserPersonAdd') setLink(response.data.link)
      if (await listed) form.reset({ name: '', teamId, choice: NONE })
    },
  })
  return (
    <form noValidate className="pn-grid pn-gap-4" onSubmit={(event) => void form.submit(event)}>
      <TextInput {...form.field('name')} label={text.name} maxLength={64} autoComplete="off" />
      {teams.length > 1 && (
        <Select
          {...form.field('teamId')}
          label={text.team}
          choices={teams.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <Select {...form.field('choice')} label={text.permissions} choices={useChoices(NONE)} />
      {action.failure && <p role="alert">{action.failure}</p>}
      <div>
        <Button type="submit" busy={action.isPending}>
          {text.add}
        </Button>
      </div>
      {link !== undefined && (
        <div key={link} ref={focusWhenShown} tabIndex={-1} className="pn-grid pn-gap-4">
          <p role="status">{text.linkOnce}</p>
          <Secret value={link} label={text.link} />
        </div>
      )}
    </form>
  )
}
