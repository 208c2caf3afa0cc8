import { createWave, updateWave, waveLimits } from '@pennant/contract/waves.ts'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { send } from '../../api/client.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { adminWavesMessages } from '../../text/en/admin-waves.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { Textarea, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm, type Form } from '../../ui/form.ts'
import { announce } from '../../ui/announcer.tsx'
import { Panel, Section } from '../../ui/states/panel.tsx'
import styles from './admin-waves.module.css'
import { dataOf, draftOf, emptyDraft, type Draft } from './draft.ts'
import { useChange, type Change, type Wave, allChallengesQuery } from './queries.ts'
import { useQuery } from '@tanstack/react-query'

interface EditorProps {
  /** Null to create one. */
  readonly stored: Wave | null
  readonly waves: readonly Wave[]
  readonly onDone: () => void
}

/** The form of a new or a stored wave. */
export function Editor({ stored, waves, onDone }: EditorProps) {
  const text = useMessages(adminWavesMessages)
  const change = useChange()
  const [outcome, setOutcome] = useState<Change>()
  const [force, setForce] = useState(false)
  const form = useForm<Draft>({
    initial: stored ? draftOf(stored) : emptyDraft,
    validate: ({ name }) => ({ name: name.trim() === '' ? text.errors.missing : undefined }),
    async submit(values) {
      const data = dataOf(values, force)
      const next = await change(
        stored
          ? send(updateWave, {
              params: { id: stored.id },
              body: { data: { ...data, version: stored.version } },
            })
          : send(createWave, { body: { data } }),
      )
      setOutcome(next)
      if (next.failure !== null) return
      announce(text.saved(data.name))
      onDone()
    },
  })
  return (
    <Panel title={stored ? text.editOf(stored.name) : text.new}>
      <form noValidate className="pn-stack pn-gap-4" onSubmit={(event) => void form.submit(event)}>
        <ErrorSummary errors={form.errors} />
        <TextInput
          {...form.field('name')}
          label={text.name}
          help={text.nameHelp}
          required
          maxLength={waveLimits.name}
          autoComplete="off"
        />
        <DateTime {...form.field('openAt')} label={text.openAt} help={text.openAtHelp} />
        <ChallengeChoices
          chosen={form.values.challengeIds}
          own={stored?.id}
          waves={waves}
          onChange={(challengeIds) => form.set({ challengeIds })}
        />
        <PlayerFields form={form} />
        {outcome?.needsForce && (
          <Switch kind="checkbox" label={text.force} checked={force} onChange={setForce} />
        )}
        <FailureLine>{outcome?.failure ?? undefined}</FailureLine>
        <div className={styles.actions}>
          <Button tone="primary" type="submit" busy={form.isSubmitting}>
            {stored ? text.save : text.create}
          </Button>
          {stored && <Button onClick={onDone}>{text.cancel}</Button>}
        </div>
      </form>
      <LeaveGuard isDirty={form.isDirty} />
    </Panel>
  )
}

/** What players see of the wave before and when it opens. */
function PlayerFields({ form }: { readonly form: Form<Draft> }) {
  const text = useMessages(adminWavesMessages)
  const { countdown, announce: isAnnounced, forward } = form.values
  return (
    <>
      <Switch
        kind="checkbox"
        label={text.countdown}
        checked={countdown}
        onChange={(on) => form.set({ countdown: on })}
      />
      <Switch
        kind="checkbox"
        label={text.announce}
        checked={isAnnounced}
        onChange={(on) => form.set({ announce: on })}
      />
      {isAnnounced && (
        <>
          <Switch
            kind="checkbox"
            label={text.forward}
            checked={forward}
            onChange={(on) => form.set({ forward: on })}
          />
          <Section title={text.announcement} level={3} fold="closed">
            <div className="pn-stack pn-gap-4">
              <TextInput
                {...form.field('title')}
                label={text.title}
                maxLength={waveLimits.title}
                autoComplete="off"
              />
              <Textarea
                {...form.field('text')}
                label={text.content}
                help={text.templateHelp}
                maxLength={waveLimits.text}
              />
            </div>
          </Section>
        </>
      )}
    </>
  )
}

interface ChoicesProps {
  readonly chosen: readonly string[]
  /** The wave that is edited. */
  readonly own: string | undefined
  readonly waves: readonly Wave[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** All challenges by category; the chosen ones belong to the wave. */
function ChallengeChoices({ chosen, own, waves, onChange }: ChoicesProps) {
  const text = useMessages(adminWavesMessages)
  const challenges = useQuery(allChallengesQuery).data ?? []
  const categories = [...new Set(challenges.map(({ category }) => category))].toSorted()
  const names = new Map(waves.map(({ id, name }) => [id, name]))
  const toggle = (id: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, id] : chosen.filter((each) => each !== id))
  return (
    <div role="group" aria-label={text.challenges}>
      <span aria-hidden="true">
        {text.challenges}: {text.count(chosen.length)}
      </span>
      <div className={styles.choices}>
        {challenges.length === 0 && text.noChallenges}
        {categories.map((category) => (
          <div key={category}>
            <h3>{category}</h3>
            {challenges
              .filter((challenge) => challenge.category === category)
              .map(({ id, name, waveId }) => (
                <label key={id}>
                  <input
                    type="checkbox"
                    checked={chosen.includes(id)}
                    onChange={(event) => toggle(id, event.currentTarget.checked)}
                  />
                  <bdi>{name}</bdi>
                  {waveId !== undefined && waveId !== own && (
                    <span className="pn-muted">{text.inOther(names.get(waveId) ?? '')}</span>
                  )}
                </label>
              ))}
          </div>
        ))}
      </div>
    </div>
  )
}
