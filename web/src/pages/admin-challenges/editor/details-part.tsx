import { useQuery } from '@tanstack/react-query'
import { useConfig } from '../../../api/use-contest.ts'
import { useFileLinks } from '../../../organisers/use-file-links.ts'
import { serverNow, useTimed } from '../../../state/clock.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Writing } from '../../../ui/fields/field.tsx'
import { Radio, Switch } from '../../../ui/fields/choices.tsx'
import { Combobox } from '../../../ui/fields/combobox.tsx'
import { DateTime } from '../../../ui/fields/date-time.tsx'
import { TextInput } from '../../../ui/fields/inputs.tsx'
import { MarkdownEditor } from '../../../ui/rich/markdown-editor.tsx'
import styles from '../challenges.module.css'
import type { Draft } from '../draft.ts'
import { allChallengesQuery } from '../queries.ts'
import {
  NO_TIME,
  quickReleases,
  VISIBILITIES,
  VISIBILITY_ICONS,
  visibilityOf,
  withVisibility,
} from '../release/release.ts'
import { categoriesOf } from '../state-of.ts'
import type { Editor } from './use-editor.ts'
import { Prerequisites, WaveSelect } from '../release/wave-part.tsx'

interface PartProps {
  readonly id: string
  readonly editor: Editor
}

/** Text and visibility of a challenge. */
export function DetailsPart({ id, editor }: PartProps) {
  const text = useMessages(adminChallengesMessages)
  const { draft, set, problems } = editor
  const fileLinks = useFileLinks()
  const categories = categoriesOf(useQuery(allChallengesQuery).data ?? [])
  return (
    <div className={styles.form}>
      <div className={styles.basics}>
        <TextInput
          label={text.fields.name}
          value={draft.name}
          error={problems.name}
          onChange={(name) => set({ name })}
        />
        <Combobox
          free
          label={text.fields.category}
          value={draft.category}
          error={problems.category}
          choices={categories.map((value) => ({ value, label: value }))}
          onChange={(category) => set({ category })}
        />
        <TextInput
          label={text.fields.author}
          value={draft.author}
          error={problems.author}
          onChange={(author) => set({ author })}
        />
      </div>
      <WhenSeen editor={editor} />
      <WaveSelect editor={editor} />
      <Prerequisites id={id} editor={editor} />
      <div>
        <span className={styles.label}>{text.fields.description}</span>
        <MarkdownEditor
          label={text.fields.description}
          {...fileLinks}
          readOnly={!editor.mayWrite}
          value={draft.description}
          onChange={(description) => set({ description })}
        />
      </div>
      <TextInput
        label={text.fields.tags}
        help={text.tagsHelp}
        value={draft.tags.join(', ')}
        error={problems.tags}
        onChange={(tags) => set({ tags: tagsIn(tags) })}
      />
      <Switch
        label={text.fields.tiebreakEligible}
        help={text.tiebreakHelp}
        checked={draft.tiebreakEligible ?? canBeWorthPoints(draft)}
        onChange={(tiebreakEligible) => set({ tiebreakEligible })}
      />
    </div>
  )
}

function canBeWorthPoints({ points, scoring }: Draft): boolean {
  return points.min !== 0 || points.max !== 0 || scoring.kind === 'dynamic'
}

/** Keeps a trailing comma while typing: it starts the next tag. */
function tagsIn(typed: string): string[] {
  const tags = typed.split(',').map((tag) => tag.trimStart())
  return tags.length === 1 && tags[0] === '' ? [] : tags
}

/** Hidden, visible now, or visible from a release time: one choice for two stored fields. */
function WhenSeen({ editor: { draft, set, problems } }: Pick<PartProps, 'editor'>) {
  const text = useMessages(adminChallengesMessages)
  const start = useConfig()?.startTime
  const choose = (value: string) => {
    const chosen = VISIBILITIES.find((each) => each === value) ?? 'hidden'
    if (draft.waveId !== null) return set({ hidden: chosen === 'hidden' })
    set((now) => withVisibility(chosen, now, { start, now: serverNow() }))
  }
  const isInWave = draft.waveId !== null
  const chosen = isInWave && !draft.hidden ? 'scheduled' : visibilityOf(draft)
  return (
    <>
      <Radio
        look="segments"
        label={text.visibility}
        value={chosen}
        error={problems.hidden}
        onChange={choose}
        choices={VISIBILITIES.filter((value) => !isInWave || value !== 'now').map((value) => ({
          value,
          label: isInWave && value === 'scheduled' ? text.withWave : text.visibilities[value],
          icon: VISIBILITY_ICONS[value],
        }))}
      />
      {chosen === 'scheduled' && !isInWave && (
        <ReleaseTime
          at={draft.releaseTime}
          start={start}
          error={problems.releaseTime}
          onChange={(releaseTime) => set({ releaseTime })}
        />
      )}
    </>
  )
}

interface ReleaseTimeProps {
  readonly at: Draft['releaseTime']
  /** Start of the event, Unix milliseconds. */
  readonly start: number | undefined
  readonly error: string | undefined
  readonly onChange: (at: number) => void
}

/** Keeps the field visible while it is empty or incomplete. */
function ReleaseTime({ at, start, error, onChange }: ReleaseTimeProps) {
  const text = useMessages(adminChallengesMessages)
  const value = at === NO_TIME ? Number.NaN : at
  const isPast = useTimed((now) => value !== null && value <= now)
  const toCome = useTimed((now) => quickReleases({ start, now }).length)
  // The options expire in order, so the last ones are those still in the future.
  const quick = toCome === 0 ? [] : quickReleases({ start, now: 0 }).slice(-toCome)
  return (
    <div className={styles.form}>
      <DateTime
        label={text.fields.releaseTime}
        value={value}
        help={isPast ? text.releasePast : undefined}
        error={Number.isNaN(value) ? text.releaseMissing : error}
        onChange={(next) => onChange(next === null || Number.isNaN(next) ? NO_TIME : next)}
      />
      <Writing>
        <div className="pn-row pn-gap-3">
          {quick.map((release) => (
            <Button key={release.name} tone="quiet" onClick={() => onChange(release.at)}>
              {text.quick[release.name]}
            </Button>
          ))}
        </div>
      </Writing>
    </div>
  )
}
