import { listWaves, UNSCHEDULED } from '@pennant/contract/waves.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { requestData } from '../../../api/client.ts'
import { OWN_KEY } from '../../../api/queries.ts'
import { refresh } from '../../../state/live.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Switch } from '../../../ui/fields/choices.tsx'
import { MultiSelect } from '../../../ui/fields/combobox.tsx'
import { Select } from '../../../ui/fields/inputs.tsx'
import styles from '../challenges.module.css'
import { requiring } from './prerequisites.ts'
import { allChallengesQuery, EVERY_MS } from '../queries.ts'
import type { Editor } from '../editor/use-editor.ts'

/** The same entry of the cache as the page of waves. */
const wavesQuery = queryOptions({
  queryKey: [OWN_KEY, 'admin-waves'],
  queryFn: async ({ signal }) => (await requestData(listWaves, {}, { signal })).waves,
  ...refresh(EVERY_MS),
})

/** The wave that releases a challenge. */
export function WaveSelect({ editor: { draft, set, problems } }: { readonly editor: Editor }) {
  const text = useMessages(adminChallengesMessages)
  const format = useFormat()
  const waves = useQuery(wavesQuery).data ?? []
  const wave = waves.find(({ id }) => id === draft.waveId)
  if (waves.length === 0 && draft.waveId === null) return null
  const leaves = draft.waveId === null && draft.releaseTime === UNSCHEDULED
  const help = wave
    ? wave.openAt === null
      ? text.waveUnscheduled
      : text.waveOpens(format.dateTime(wave.openAt))
    : leaves
      ? text.waveLeft
      : undefined
  return (
    <Select
      label={text.fields.waveId}
      help={help}
      error={problems.waveId}
      value={draft.waveId ?? ''}
      placeholder={text.none}
      choices={waves.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id) => set({ waveId: id === '' ? null : id })}
    />
  )
}

/** What a team must solve first, and what it sees until then. */
export function Prerequisites({ id, editor }: { readonly id: string; readonly editor: Editor }) {
  const text = useMessages(adminChallengesMessages)
  const { draft, set, problems } = editor
  const all = useQuery(allChallengesQuery).data ?? []
  const excluded = requiring(id, all)
  const choices = all
    .filter((each) => !excluded.has(each.id) || draft.prerequisites.includes(each.id))
    .map(({ id: value, name, category }) => ({
      value,
      label: category === '' ? name : `${name} (${category})`,
    }))
  const left = all.filter((each) => each.id !== id && excluded.has(each.id)).map(({ name }) => name)
  return (
    <div className={styles.form}>
      <MultiSelect
        label={text.fields.prerequisites}
        help={[text.prerequisitesHelp, ...(left.length > 0 ? [text.requiredBy(left.join(', '))] : [])].join(
          ' ',
        )}
        error={problems.prerequisites}
        value={draft.prerequisites}
        choices={choices}
        onChange={(prerequisites) => set({ prerequisites })}
      />
      {(draft.prerequisites.length > 0 || draft.lockedShown) && (
        <Switch
          label={text.fields.lockedShown}
          help={draft.lockedShown ? text.lockedIsShown : text.lockedIsHidden}
          checked={draft.lockedShown}
          onChange={(lockedShown) => set({ lockedShown })}
        />
      )}
    </div>
  )
}
