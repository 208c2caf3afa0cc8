import { settingsLimits } from '@pennant/contract/admin-settings.ts'
import { useState } from 'react'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Button, IconButton } from '../../ui/buttons/button.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import type { Sponsor } from './draft.ts'
import { Picture } from './look-part.tsx'
import { Setting } from './setting.tsx'
import styles from './settings.module.css'
import { UploadPicture } from './upload-picture.tsx'
import type { SettingsForm } from './use-settings.ts'

const FIELDS = ['name', 'icon', 'description', 'url'] as const
const MOST = {
  name: settingsLimits.title,
  icon: settingsLimits.url,
  description: settingsLimits.description,
  url: settingsLimits.url,
}
const NEW: Sponsor = { name: '', icon: '', description: '', url: '' }

/** The list of sponsors, with buttons to reorder it. */
export function SponsorsPart({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(adminSettingsMessages)
  // Rows keep their key when moved, so that a running upload is assigned to the right sponsor.
  const [rows, setRows] = useState(() => Array.from({ length: settingsLimits.sponsors }, (_, row) => row))
  const [moved, setMoved] = useState('')
  const { sponsors } = form.values
  const set = (next: readonly Sponsor[]) => form.set({ sponsors: next })
  const setOne = (at: number) => (change: Partial<Sponsor>) =>
    form.set((now) => ({ sponsors: now.sponsors.with(at, { ...(now.sponsors[at] ?? NEW), ...change }) }))
  const move = (at: number, by: -1 | 1) => {
    const to = at + by
    set(swapped(sponsors, at, to))
    setRows(swapped(rows, at, to))
    setMoved(text.movedTo(sponsors[at]?.name ?? '', to + 1, sponsors.length))
  }
  const remove = (at: number) => {
    set(sponsors.toSpliced(at, 1))
    setRows([...rows.toSpliced(at, 1), ...rows.slice(at, at + 1)])
  }
  const because = sponsors.length < settingsLimits.sponsors ? undefined : text.tooManySponsors
  return (
    <Setting form={form} name="sponsors">
      <ul className={styles.sponsors}>
        {sponsors.map((sponsor, at) => (
          <li key={rows[at] ?? at} className={styles.sponsor}>
            <SponsorFields form={form} at={at} sponsor={sponsor} onChange={setOne(at)} />
            <div className={styles.actions}>
              <IconButton
                icon="chevronUp"
                label={text.up(sponsor.name)}
                disabledBecause={at === 0 ? text.isFirst : undefined}
                onClick={() => move(at, -1)}
              />
              <IconButton
                icon="chevronDown"
                label={text.down(sponsor.name)}
                disabledBecause={at === sponsors.length - 1 ? text.isLast : undefined}
                onClick={() => move(at, 1)}
              />
              <IconButton icon="trash" label={text.removeNamed(sponsor.name)} onClick={() => remove(at)} />
            </div>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button icon="plus" disabledBecause={because} onClick={() => set([...sponsors, NEW])}>
          {text.addSponsor}
        </Button>
        <span role="status" className={styles.note}>
          {moved}
        </span>
      </div>
    </Setting>
  )
}

function swapped<Item>(items: readonly Item[], at: number, to: number): Item[] {
  return items.map((item, place) => (place === at ? items[to] : place === to ? items[at] : item) ?? item)
}

interface SponsorFieldsProps {
  readonly form: SettingsForm
  readonly at: number
  readonly sponsor: Sponsor
  readonly onChange: (change: Partial<Sponsor>) => void
}

function SponsorFields({ form, at, sponsor, onChange }: SponsorFieldsProps) {
  const text = useMessages(adminSettingsMessages)
  return (
    <div role="group" aria-label={text.sponsor(at + 1)} className={styles.sponsorFields}>
      {FIELDS.map((field) => (
        <TextInput
          key={field}
          label={text.sponsorFields[field]}
          required={field === 'name'}
          mono={field === 'icon' || field === 'url'}
          maxLength={MOST[field]}
          autoComplete="off"
          value={sponsor[field]}
          error={form.errors[`sponsors.${at}.${field}`]}
          onChange={(value) => onChange({ [field]: value })}
        />
      ))}
      <UploadPicture name={`${text.sponsor(at + 1)}, ${text.icon}`} onStored={(icon) => onChange({ icon })} />
      <Picture address={sponsor.icon} name={text.icon} />
    </div>
  )
}
