import { updateTeam } from '@pennant/contract/admin-teams.ts'
import { useState, type FormEvent } from 'react'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { unsavedFields } from '../../ui/form.ts'
import { Section } from '../../ui/states/panel.tsx'
import { teamsKey, type TeamDetail } from './queries.ts'
import styles from './teams.module.css'
import { useListAction } from '../../organisers/use-list-action.ts'

const FIELDS = ['name', 'division', 'countryCode', 'statusText'] as const
/** Limit of the contract's `StatusText`. */
const LONGEST_STATUS = 60
type Values = Record<(typeof FIELDS)[number], string>

/** The team fields that an organiser can correct. Sends only changed fields. */
export function ProfileForm({ team }: { readonly team: TeamDetail }) {
  const text = useMessages(adminTeamsMessages)
  const divisions = useConfig()?.divisions ?? {}
  const before = valuesOf(team)
  const [changes, setChanges] = useState<Partial<Values>>({})
  const action = useListAction(teamsKey)
  const saved = useSuccess(text.saved)
  const values = { ...before, ...changes }
  const changed = FIELDS.filter((field) => values[field] !== before[field])
  const set = (field: keyof Values) => (value: string) => setChanges((now) => ({ ...now, [field]: value }))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (changed.length === 0 || action.isPending) return
    const data = Object.fromEntries(changed.map((field) => [field, toSend(field, values[field])]))
    if (!(await action.run(send(updateTeam, { params: { id: team.id }, body: { data } })))) return
    saved.show()
    // Text typed during the save is kept.
    setChanges((now) => unsavedFields(now, changes))
  }
  const choices = Object.entries({ [team.division]: team.division, ...divisions })
  return (
    <Section title={text.profile} level={3}>
      <form className={styles.form} onSubmit={(event) => void save(event)}>
        <TextInput label={text.team} value={values.name} onChange={set('name')} maxLength={64} />
        <Select
          label={text.division}
          value={values.division}
          onChange={set('division')}
          choices={choices.map(([value, label]) => ({ value, label }))}
        />
        <TextInput
          label={text.country}
          help={text.countryHelp}
          value={values.countryCode}
          onChange={(code) => set('countryCode')(code.toUpperCase())}
          maxLength={2}
          mono
        />
        <TextInput
          label={text.statusText}
          value={values.statusText}
          onChange={set('statusText')}
          maxLength={LONGEST_STATUS}
          counted
        />
        {action.failure && <p role="alert">{action.failure}</p>}
        <Button
          type="submit"
          tone="primary"
          busy={action.isPending}
          success={saved}
          disabledBecause={changed.length === 0 ? text.nothingToSave : undefined}
        >
          {text.save}
        </Button>
      </form>
      <LeaveGuard isDirty={changed.length > 0} />
    </Section>
  )
}

function valuesOf({ name, division, countryCode, statusText }: TeamDetail): Values {
  return { name, division, countryCode: countryCode ?? '', statusText: statusText ?? '' }
}

/** Null clears an optional field. */
function toSend(field: keyof Values, value: string): string | null {
  const isOptional = field === 'countryCode' || field === 'statusText'
  return isOptional && value.trim() === '' ? null : value
}
