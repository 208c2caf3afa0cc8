import { createOwnTeam } from '@pennant/contract/people.ts'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import styles from '../../account/account.module.css'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { usePeopleAction } from '../../account/people.ts'
import { declarationBody } from '../../account/tracks/declaration.ts'
import { send } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { useConfig } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { peopleMessages } from '../../text/en/people.ts'
import { useMessages } from '../../text/messages.ts'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { useRegistrationFields } from '../../account/registration-fields.tsx'
import { useForm } from '../../ui/form.ts'

const TrackFields = lazy(async () => ({
  default: (await import('../../account/tracks/track-fields.tsx')).TrackFields,
}))

const NAME = /^[\x20-\x7e]{2,64}$/

/** The captain signs in as themselves, so nothing else is needed than a name. */
export function CreateTeam({ isAlone }: { readonly isAlone: boolean }) {
  const text = useMessages(peopleMessages)
  const { form, action, divisions, tracks, needsCode, parts } = useCreation(isAlone)
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      {!isAlone && <h2>{text.createTitle}</h2>}
      {!isAlone && (
        <TextInput
          {...form.field('name')}
          label={text.teamName}
          help={text.teamNameHelp}
          required
          maxLength={64}
        />
      )}
      {divisions.length > 1 && (
        <Select
          {...form.field('division')}
          label={text.division}
          choices={divisions.map(([value, label]) => ({ value, label }))}
        />
      )}
      {needsCode && (
        <TextInput
          {...form.field('code')}
          label={text.code}
          required
          mono
          maxLength={100}
          autoComplete="off"
        />
      )}
      {parts[0]}
      {parts[1]}
      {tracks.length > 0 && (
        <Suspense>
          <TrackFields
            value={form.values.declared}
            onChange={(declared) => form.field('declared').onChange(declared)}
          />
        </Suspense>
      )}
      <FailureLine>{action.failure}</FailureLine>
      <div className={styles.actions}>
        <ActionButton type="submit" waitS={action.waitS} busy={form.isSubmitting}>
          {isAlone ? text.createAlone : text.create}
        </ActionButton>
      </div>
    </form>
  )
}

/** The form, and what this event asks for. */
function useCreation(isAlone: boolean) {
  const text = useMessages(peopleMessages)
  const config = useConfig()
  const action = usePeopleAction()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const divisions = Object.entries(config?.divisions ?? {})
  const needsCode = config?.registration?.mode === 'code'
  const tracks = config?.tracks?.list ?? []
  const [ofTeam, ofPerson] = [useRegistrationFields('team'), useRegistrationFields('person')]
  const form = useForm({
    initial: {
      code: '',
      name: '',
      division: config?.defaultDivision ?? divisions[0]?.[0] ?? '',
      declared: { track: tracks[0]?.id ?? '', operator: '', model: '' },
    },
    validate: ({ name, code }) => ({
      name: isAlone || NAME.test(name.trim()) ? undefined : text.teamNameHelp,
      code: needsCode && code.trim() === '' ? text.codeMissing : undefined,
    }),
    submit: async ({ name, division, code, declared }) => {
      const track = tracks.find(({ id }) => id === declared.track)
      const body = {
        ...(!isAlone && { name }),
        ...(divisions.length > 1 && { division }),
        ...(needsCode && { registrationCode: code.trim() }),
        ...(track && { declared: declarationBody(declared, track) }),
        fields: ofTeam.given,
        personFields: ofPerson.given,
      }
      const response = await action.run(
        () => ofTeam.recorded(ofPerson.recorded(send(createOwnTeam, { body }))),
        () => queries.invalidateQueries({ queryKey: [OWN_KEY] }),
      )
      if (response) void navigate(paths.ownTeam(), { replace: true })
    },
  })
  const parts = [ofTeam.part, ofPerson.part]
  return { form, action, divisions, tracks, needsCode, parts }
}
