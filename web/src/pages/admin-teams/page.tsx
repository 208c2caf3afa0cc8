import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { useConfig } from '../../api/use-contest.ts'
import { useColumnChoice } from '../../organisers/column-choice.tsx'
import { keepsNothing, filterBody } from '../../organisers/filter-body.ts'
import { DebouncedSearch } from '../../ui/fields/debounced-search.tsx'
import { ListTools } from '../../organisers/list-tools.tsx'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { Pager } from '../../organisers/pager.tsx'
import { useListAddress } from '../../organisers/use-list-address.ts'
import { paths } from '../../paths.ts'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { useMessages, useErrorText } from '../../text/messages.ts'
import { FilterChips } from '../../ui/data/filter-chips.tsx'
import { teamSorts, teamsQuery, teamsKey, statusOf, teamsRequest, type Team } from './queries.ts'
import { NoTeams, TeamList, useTeamColumns, type Selection } from './team-list.tsx'
import { TeamSheet } from './team-sheet.tsx'
import { createTeam, filterTeams } from '@pennant/contract/admin-teams.ts'
import { FailureLine } from '../../account/failure-line.tsx'
import { signInLink } from '../../account/linked-token.ts'
import { send, requestData } from '../../api/client.ts'
import { accountMessages } from '../../text/en/account.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Secret } from '../../ui/buttons/secret.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm, type FormErrors } from '../../ui/form.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import styles from './teams.module.css'
import {
  requestAnswers,
  useAnswerCells,
  useAnswerColumns,
  useAnswersOf,
  useFieldFilters,
  useRuleColumns,
} from '../../organisers/field-lists.tsx'
import { CsvButton } from '../../organisers/csv-button.tsx'

export function Component() {
  const text = useMessages(adminTeamsMessages)
  const { id } = useParams()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const fields = [...useFields(), ...useFieldFilters()]
  const filterIds = fields.map(({ id: field }) => field)
  const address = useListAddress({ sorts: teamSorts, direction: 'ascending', fields: filterIds })
  const isImpossible = keepsNothing(filterBody(address.filters))
  const query = useQuery({ ...teamsQuery(address), enabled: !isImpossible })
  const [selected, setSelected] = useState<Selection>(new Map())
  const show = (path: string) => void navigate({ pathname: path, search: params.toString() })
  const open = (team: string) => show(paths.adminTeam(team))
  const { shown, chooser } = useColumnChoice('teams', [
    ...useTeamColumns(open),
    ...useMoreColumns(query.data?.users ?? []),
  ])
  return (
    <OrganiserPage title={text.title} aside={<NewTeam />}>
      <ListTools
        end={
          <>
            {chooser}
            <TeamsCsv address={address} />
          </>
        }
      >
        <DebouncedSearch
          label={text.searchHelp}
          maxLength={100}
          value={address.search}
          onChange={(q) => address.change({ q })}
        />
        <FilterChips fields={fields} filters={address.filters} onChange={address.setFilters} />
      </ListTools>
      {isImpossible && <NoTeams />}
      {!isImpossible && !query.data && <Waiting query={query} rows={12} />}
      {!isImpossible && query.data && (
        <>
          <TeamList
            teams={query.data.users}
            total={query.data.total}
            current={id}
            sort={address.sort}
            onSort={address.setSort}
            selected={selected}
            onSelect={setSelected}
            columns={shown}
            onOpen={open}
          />
          <Pager page={address.page} total={query.data.total} onPage={address.setPage} />
        </>
      )}
      <TeamSheet id={id} onClose={() => show(paths.adminTeams())} />
    </OrganiserPage>
  )
}

function useMoreColumns(teams: readonly Team[]) {
  const found = useAnswersOf({ teams: teams.map(({ id }) => id) })?.teams ?? []
  return [...useAnswerColumns<Team>('team', found), ...useRuleColumns<Team>(found)]
}

function useFields() {
  const text = useMessages(adminTeamsMessages)
  const divisions = useConfig()?.divisions
  return useMemo(() => {
    const choices = (of: Readonly<Record<string, string>>) =>
      Object.entries(of).map(([value, label]) => ({ value, label }))
    return [
      { id: 'status', label: text.status, choices: choices(text.statuses) },
      { id: 'division', label: text.division, choices: choices(divisions ?? {}) },
    ]
  }, [text, divisions])
}

interface Values {
  readonly name: string
  readonly email: string
  readonly division: string
}

interface Created {
  readonly name: string
  readonly link: string
}

/** Creates a team by hand and shows its sign-in link, once. */
function NewTeam() {
  const text = useMessages(adminTeamsMessages)
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<Created | null>(null)
  const open = () => {
    setCreated(null)
    setOpen(true)
  }
  return (
    <>
      <Button icon="plus" onClick={open}>
        {text.create}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={created ? text.created(created.name) : text.create}
        {...(created && { actions: <Button onClick={() => setOpen(false)}>{text.done}</Button> })}
      >
        {isOpen && !created && <NewTeamForm onCreated={setCreated} />}
        {isOpen && created && (
          <div className={styles.form} role="status">
            <p>{text.createdAbout}</p>
            <Secret value={created.link} label={text.signInLink} />
          </div>
        )}
      </Dialog>
    </>
  )
}

const FIELD_OF: Readonly<Record<string, keyof Values>> = {
  badName: 'name',
  badKnownName: 'name',
  badEmail: 'email',
  badKnownEmail: 'email',
}

function NewTeamForm({ onCreated }: { readonly onCreated: (created: Created) => void }) {
  const text = useMessages(adminTeamsMessages)
  const account = useMessages(accountMessages)
  const errorText = useErrorText('change')
  const queries = useQueryClient()
  const config = useConfig()
  const divisions = Object.entries(config?.divisions ?? {})
  const [failure, setFailure] = useState<string>()
  const submit = async (data: Values): Promise<FormErrors<Values> | void> => {
    setFailure(undefined)
    try {
      const response = await send(createTeam, { body: { data } })
      if (response.kind === 'goodAdminUserCreate')
        return onCreated({ name: data.name.trim(), link: signInLink(response.data.token) })
      const field = FIELD_OF[response.kind]
      if (field) return { [field]: errorText(response) }
      setFailure(errorText(response))
    } catch {
      setFailure(account.unconfirmed)
    } finally {
      void queries.invalidateQueries({ queryKey: teamsKey })
    }
  }
  const form = useForm<Values>({
    initial: { name: '', email: '', division: config?.defaultDivision ?? divisions[0]?.[0] ?? '' },
    validate: ({ name, email }) => ({
      name: name.trim() === '' ? account.missing : undefined,
      email: email.trim() === '' ? account.missing : undefined,
    }),
    submit,
  })
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <p>{text.createAbout}</p>
      <ErrorSummary errors={form.errors} />
      <TextInput
        {...form.field('name')}
        label={text.team}
        help={account.nameHelp}
        required
        maxLength={64}
        autoComplete="off"
      />
      <TextInput {...form.field('email')} type="email" label={text.email} required autoComplete="off" />
      {divisions.length > 1 && (
        <Select
          {...form.field('division')}
          label={text.division}
          choices={divisions.map(([value, label]) => ({ value, label }))}
        />
      )}
      <FailureLine>{failure}</FailureLine>
      <Button tone="primary" type="submit" busy={form.isSubmitting}>
        {text.create}
      </Button>
    </form>
  )
}

const HEAD = ['team', 'team_id', 'status', 'division', 'email', 'score', 'solves', 'registered']

interface TeamsCsvProps {
  readonly address: Parameters<typeof teamsRequest>[0]
}

/** Exports the filtered teams in the order of the list. */
function TeamsCsv({ address }: TeamsCsvProps) {
  const more = useAnswerCells('team')
  return (
    <CsvButton
      name="teams"
      head={[...HEAD, ...more.head]}
      load={async ({ offset, limit, signal }) => {
        const page = await requestData(filterTeams, teamsRequest(address, offset, limit), { signal })
        const ids = page.users.map(({ id }) => id)
        const found = more.head.length > 0 ? (await requestAnswers({ teams: ids }, signal)).teams : []
        const answers = new Map(found.map((team) => [team.id, team]))
        const rows = page.users.map((team) => [...cellsOf(team), ...more.cells(answers.get(team.id))])
        return { rows, total: page.total }
      }}
    />
  )
}

function cellsOf(team: Team): string[] {
  const { name, id, division, email, score, solveCount, createdAt } = team
  return [name, id, statusOf(team), division, email ?? '', String(score), String(solveCount), createdAt]
}
