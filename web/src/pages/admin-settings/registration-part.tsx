import { Link } from 'react-router'
import { useMay } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Radio, Switch } from '../../ui/fields/choices.tsx'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { NumberInput } from '../../ui/fields/inputs.tsx'
import { draftTimeOf, fieldTimeOf } from './draft.ts'
import { Setting } from './setting.tsx'
import styles from './settings.module.css'
import type { SettingsForm } from './use-settings.ts'

const MODES = ['open', 'code', 'approval', 'closed'] as const
const TIMES = ['registrationOpensAt', 'registrationClosesAt'] as const

/** Who can register, when, and how many teams: docs/operate/registration.md */
export function RegistrationPart({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(adminSettingsMessages)
  const mayDecide = useMay('usersWrite')
  const { registrationMode, maxTeams, waitingList } = form.values
  return (
    <>
      <Setting form={form} name="registrationMode">
        <Radio
          name="registrationMode"
          label={text.names.registrationMode}
          value={registrationMode}
          onChange={(mode) => form.set({ registrationMode: mode as (typeof MODES)[number] })}
          choices={MODES.map((value) => ({ value, label: text.registrationModes[value] }))}
        />
      </Setting>
      <div className={styles.pair}>
        {TIMES.map((name) => (
          <Setting key={name} form={form} name={name}>
            <DateTime
              name={name}
              label={text.names[name]}
              value={fieldTimeOf(form.values[name])}
              error={form.errors[name]}
              onChange={(at) => form.set({ [name]: at === null ? null : draftTimeOf(at) })}
            />
          </Setting>
        ))}
      </div>
      <Setting form={form} name="maxTeams">
        <NumberInput
          name="maxTeams"
          label={text.names.maxTeams}
          help={text.maxTeamsHelp}
          min={1}
          value={Number.isNaN(maxTeams) ? null : maxTeams}
          error={form.errors['maxTeams']}
          onChange={(max) => form.set({ maxTeams: max })}
        />
      </Setting>
      <Setting form={form} name="waitingList">
        <Switch
          label={text.names.waitingList}
          checked={waitingList}
          onChange={(on) => form.set({ waitingList: on })}
        />
      </Setting>
      {mayDecide && <Link to={paths.registrations()}>{text.toRegistration}</Link>}
    </>
  )
}
