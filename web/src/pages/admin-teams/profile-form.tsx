import { updateTeam } from '@pennant/contract/admin-teams.ts'
import { useState, type FormEvent } from 'react'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { LeaveGuard } from '../../layout/leave-guard.tsx'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { leftOf } from '../../ui/left-of.ts'
import { Section } from '../../ui/states/panel.tsx'
import type { TeamDetail } from './queries.ts'
import styles from './teams.module.css'
import { useDeed } from './use-deed.ts'
import { words } from './words.ts'

const FIELDS = ['name', 'division', 'countryCode', 'statusText'] as const
/** As the contract's `StatusText` has it. */
const LONGEST_STATUS = 60
type Values = Record<(typeof FIELDS)[number], string>

/** What an organiser may correct of a team. Sends only what was changed. */
export function ProfileForm({ team }: { readonly team: TeamDetail }) {
  const text = useText(words)
  const divisions = useConfig()?.divisions ?? {}
  const before = valuesOf(team)
  const [changes, setChanges] = useState<Partial<Values>>({})
  const deed = useDeed()
  const values = { ...before, ...changes }
  const changed = FIELDS.filter((field) => values[field] !== before[field])
  const set = (field: keyof Values) => (value: string) => setChanges((now) => ({ ...now, [field]: value }))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (changed.length === 0 || deed.busy) return
    const data = Object.fromEntries(changed.map((field) => [field, toSend(field, values[field])]))
    if (await deed.run(send(updateTeam, { params: { id: team.id }, body: { data } }), text.saved))
      // What was typed meanwhile stays.
      setChanges((now) => leftOf(now, changes))
  }
  const choices = Object.entries({ [team.division]: team.division, ...divisions })
  return (
    <Section title={text.profile} level={3}>
      <form className={styles.form} onSubmit={(event) => void save(event)}>
        <TextInput label={text.name} value={values.name} onChange={set('name')} maxLength={64} />
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
        {deed.failure && <p role="alert">{deed.failure}</p>}
        <Button
          type="submit"
          tone="primary"
          busy={deed.busy}
          disabledBecause={changed.length === 0 ? text.nothingChanged : undefined}
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

/** Null clears what may be empty. */
function toSend(field: keyof Values, value: string): string | null {
  const isOptional = field === 'countryCode' || field === 'statusText'
  return isOptional && value.trim() === '' ? null : value
}
