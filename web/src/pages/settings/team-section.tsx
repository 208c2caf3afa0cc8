import { updateProfileV2 } from '@pennant/contract/teams.ts'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { send } from '../../api/client.ts'
import { useConfig, type useOwnProfile, usePhase } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { accountMessages } from '../../text/en/account.ts'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { isSame, useForm } from '../../ui/form.ts'
import { Panel } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Outcome, SaveButton } from './outcome.tsx'
import styles from './settings.module.css'
import { changesOf, valuesOf, type TeamValues } from './team-changes.ts'
import { useChange } from './use-change.ts'
import { useUnsaved } from './unsaved.ts'

const CountryField = lazy(async () => ({
  default: (await import('../../account/country-field.tsx')).CountryField,
}))

const NAME = /^[\x20-\x7e]{2,64}$/
const MAX_STATUS = 60

type Team = NonNullable<ReturnType<typeof useOwnProfile>['team']>

/** Name, division, country and status of the team. */
export function TeamSection({ team }: { readonly team: Team }) {
  const text = useMessages(settingsMessages)
  const account = useMessages(accountMessages)
  const change = useChange()
  const confirmed = useSuccess(text.saved)
  const [saved, setSaved] = useState(() => valuesOf(team))
  const form = useForm<TeamValues>({
    initial: saved,
    validate: ({ name }) => ({ name: NAME.test(name.trim()) ? undefined : account.nameHelp }),
    submit: async (values) => {
      const body = changesOf(saved, values)
      const response = await change.run(() => send(updateProfileV2, { body }), confirmed.show)
      if (response?.kind !== 'goodUserUpdate') return
      const next = valuesOf(response.data.user)
      setSaved(next)
      form.adopt(next, values)
    },
  })
  const isDirty = !isSame(form.values, saved)
  useUnsaved('team', isDirty)
  const config = useConfig()
  return (
    <Panel title={text.team}>
      <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
        <TextInput
          {...form.field('name')}
          label={account.name}
          help={text.nameHelp}
          counted
          maxLength={64}
          autoComplete="off"
        />
        <DivisionField {...form.field('division')} allowed={team.allowedDivisions} />
        <Suspense fallback={<Skeleton height="var(--pn-row)" />}>
          <CountryField {...form.field('countryCode')} label={text.country} help={text.countryHelp} />
        </Suspense>
        <TextInput
          {...form.field('statusText')}
          label={text.status}
          counted
          maxLength={MAX_STATUS}
          autoComplete="off"
        />
        {config?.tracks && <Link to={paths.tracks()}>{text.track}</Link>}
        <Outcome change={change} />
        <div className={styles.actions}>
          <SaveButton change={change} isDirty={isDirty} success={confirmed} />
        </div>
      </form>
    </Panel>
  )
}

interface DivisionFieldProps {
  readonly name: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (division: string) => void
  readonly allowed: readonly string[]
}

function DivisionField({ allowed, ...field }: DivisionFieldProps) {
  const text = useMessages(settingsMessages)
  const labels = useConfig()?.divisions ?? {}
  const isOver = usePhase() === 'ended'
  const all = allowed.includes(field.value) ? allowed : [field.value, ...allowed]
  const choices = all.map((value) => ({ value, label: labels[value] ?? value }))
  const help = isOver ? text.divisionFixed : choices.length < 2 ? text.oneDivision : undefined
  return (
    <Select
      {...field}
      label={text.division}
      choices={choices}
      disabled={isOver || choices.length < 2}
      {...(help === undefined ? {} : { help })}
    />
  )
}
