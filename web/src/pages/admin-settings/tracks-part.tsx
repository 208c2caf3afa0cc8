import { trackLimits } from '@pennant/contract/tracks.ts'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { adminTracksMessages } from '../../text/en/admin-tracks.ts'
import { useMessages } from '../../text/messages.ts'
import { Button, IconButton } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { Textarea, TextInput } from '../../ui/fields/inputs.tsx'
import { draftTimeOf, fieldTimeOf, type TrackDraft } from './draft.ts'
import { Setting } from './setting.tsx'
import styles from './settings.module.css'
import type { SettingsForm } from './use-settings.ts'

const SWITCHES = [
  'mayRegister',
  'isRanked',
  'affectsPoints',
  'takesBloods',
  'getsPrizes',
  'namesAgent',
] as const
const PRESETS = ['human', 'assisted', 'agent'] as const

/** Tracks for humans and agents: docs/operate/tracks.md */
export function TracksPart({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(adminTracksMessages)
  const settings = useMessages(adminSettingsMessages)
  const { tracks } = form.values
  // Without tracks the setting goes back to its default, because an empty list is none.
  const set = (next: readonly TrackDraft[]) => form.set({ tracks: next.length === 0 ? null : next })
  const add = (preset: (typeof PRESETS)[number]) =>
    set([...tracks, presetTrack(preset, tracks, text.presets)])
  return (
    <>
      <p className="pn-flat">{text.about}</p>
      <Setting form={form} name="tracks">
        <ul className={styles.sponsors}>
          {tracks.map((track, at) => (
            <li key={track.id} className={styles.sponsor}>
              <TrackEditor
                track={track}
                error={form.errors[`tracks.${at}.label`]}
                onChange={(change) => set(tracks.with(at, { ...track, ...change }))}
              />
              <div className={styles.actions}>
                <IconButton
                  icon="chevronUp"
                  label={settings.up(track.label)}
                  disabledBecause={at === 0 ? settings.isFirst : undefined}
                  onClick={() => set(tracks.toSpliced(at, 1).toSpliced(at - 1, 0, track))}
                />
                <IconButton
                  icon="trash"
                  label={settings.removeNamed(track.label)}
                  onClick={() => set(tracks.toSpliced(at, 1))}
                />
              </div>
            </li>
          ))}
        </ul>
        <div className={styles.actions}>
          {PRESETS.map((preset) => (
            <Button
              key={preset}
              icon="plus"
              disabledBecause={tracks.length < trackLimits.tracks ? undefined : text.full}
              onClick={() => add(preset)}
            >
              {text.add[preset]}
            </Button>
          ))}
        </div>
      </Setting>
      <Setting form={form} name="tracksLockAt">
        <p className="pn-flat">{text.lockHelp}</p>
        <DateTime
          name="tracksLockAt"
          label={text.lock}
          value={fieldTimeOf(form.values.tracksLockAt)}
          error={form.errors['tracksLockAt']}
          onChange={(at) => form.set({ tracksLockAt: at === null ? null : draftTimeOf(at) })}
        />
      </Setting>
    </>
  )
}

interface TrackEditorProps {
  readonly track: TrackDraft
  readonly error: string | undefined
  readonly onChange: (change: Partial<TrackDraft>) => void
}

function TrackEditor({ track, error, onChange }: TrackEditorProps) {
  const text = useMessages(adminTracksMessages)
  return (
    <div role="group" aria-label={track.label} className={styles.sponsorFields}>
      <TextInput
        label={text.label}
        required
        maxLength={trackLimits.label}
        autoComplete="off"
        value={track.label}
        error={error}
        onChange={(label) => onChange({ label })}
      />
      <Textarea
        label={text.policy}
        maxLength={trackLimits.policy}
        value={track.policy}
        onChange={(policy) => onChange({ policy })}
      />
      {SWITCHES.map((name) => (
        <Switch
          key={name}
          label={text.switches[name]}
          checked={track[name]}
          onChange={(on) => onChange({ [name]: on })}
        />
      ))}
    </div>
  )
}

interface PresetTexts {
  readonly label: string
  readonly policy: string
}

/** Agents play outside of the main standings until organisers decide otherwise. */
function presetTrack(
  preset: (typeof PRESETS)[number],
  known: readonly TrackDraft[],
  texts: Readonly<Record<(typeof PRESETS)[number], PresetTexts>>,
): TrackDraft {
  const isFree = (id: string) => known.every((each) => each.id !== id)
  const ids = [preset, ...Array.from({ length: trackLimits.tracks }, (_, at) => `${preset}-${at + 2}`)]
  const isMain = preset !== 'agent'
  return {
    id: ids.find(isFree) ?? preset,
    ...texts[preset],
    mayRegister: true,
    isRanked: isMain,
    affectsPoints: isMain,
    takesBloods: isMain,
    getsPrizes: isMain,
    namesAgent: !isMain,
  }
}
