import { settingsLimits } from '@pennant/contract/admin-settings.ts'
import { allPermissions } from '@pennant/contract/permissions.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useMay } from '../../api/use-contest.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { FreezePart } from './freeze-part.tsx'
import { LookPart } from './look-part.tsx'
import { settingsQuery, type Both } from './queries.ts'
import { RegistrationPart } from './registration-part.tsx'
import { SaveBar } from './save-bar.tsx'
import styles from './settings.module.css'
import { SponsorsPart } from './sponsors-part.tsx'
import { TextSetting } from './text-setting.tsx'
import { VisibilityPart } from './visibility-part.tsx'
import { useSettings, type SettingsForm } from './use-settings.ts'
import { MarkdownPreview } from '../../organisers/markdown-preview.tsx'
import { useFileLinks } from '../../organisers/use-file-links.ts'
import { FieldError } from '../../ui/fields/field.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Setting } from './setting.tsx'
import { useTimed } from '../../state/clock.ts'
import { partsOf } from '../../ui/data/durations.ts'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { draftTimeOf, fieldTimeOf, INCOMPLETE, valuesOf } from './draft.ts'
import { phaseAt } from './phase-change.ts'
import { useConsequence } from './use-consequence.ts'

const TracksPart = lazy(async () => ({ default: (await import('./tracks-part.tsx')).TracksPart }))
const ImportPart = lazy(async () => ({ default: (await import('./import/import-part.tsx')).ImportPart }))

export function Component() {
  const text = useMessages(adminSettingsMessages)
  const query = useQuery(settingsQuery)
  return (
    <OrganiserPage title={text.title}>
      {query.data ? <Groups both={query.data} /> : <Waiting query={query} rows={12} />}
    </OrganiserPage>
  )
}

function Groups({ both }: { readonly both: Both }) {
  const text = useMessages(adminSettingsMessages)
  const form = useSettings(both)
  const isOwner = useMay(...allPermissions)
  const { title, description, url } = settingsLimits
  const groups = [
    { id: 'event', title: text.event, part: <TextSetting form={form} name="ctfName" max={title} /> },
    { id: 'times', title: text.times, part: <TimesPart form={form} /> },
    {
      id: 'freeze',
      title: text.names.freezeTime,
      part: <FreezePart form={form} isPublished={both.overrides.resultsPublished === true} />,
    },
    { id: 'registration', title: text.registration, part: <RegistrationPart form={form} /> },
    { id: 'tracks', title: text.names.tracks, part: <TracksGroup form={form} /> },
    { id: 'visibility', title: text.names.visibility, part: <VisibilityPart form={form} /> },
    { id: 'look', title: text.look, part: <LookPart form={form} /> },
    { id: 'home', title: text.home, part: <HomePart form={form} /> },
    { id: 'sponsors', title: text.sponsors, part: <SponsorsPart form={form} /> },
    {
      id: 'sharing',
      title: text.sharing,
      part: (
        <>
          <TextSetting
            form={form}
            name="description"
            kind="lines"
            max={description}
            help={text.descriptionHelp}
          />
          <TextSetting form={form} name="imageUrl" kind="address" max={url} help={text.imageHelp} />
        </>
      ),
    },
    ...(isOwner ? [{ id: 'import', title: text.import, part: <ImportGroup /> }] : []),
  ]
  return (
    <div className={styles.groups}>
      <LeaveGuard isDirty={form.changes.length > 0} />
      <nav aria-label={text.groups} className={styles.nav}>
        {groups.map((group) => (
          <a key={group.id} href={`#${group.id}`}>
            {group.title}
          </a>
        ))}
      </nav>
      {groups.map((group) => (
        <div key={group.id} id={group.id} className={styles.group}>
          <Panel title={group.title}>
            <div className="pn-stack pn-gap-5">{group.part}</div>
          </Panel>
        </div>
      ))}
      <SaveBar form={form} />
    </div>
  )
}

function TracksGroup({ form }: { readonly form: SettingsForm }) {
  return (
    <Suspense fallback={<Skeleton rows={4} />}>
      <TracksPart form={form} />
    </Suspense>
  )
}

/** Needed once, if at all: loaded when it is opened. */
function ImportGroup() {
  const text = useMessages(adminSettingsMessages)
  const [isOpen, setOpen] = useState(useSearchParams()[0].has('import'))
  if (!isOpen)
    return (
      <div>
        <Button onClick={() => setOpen(true)}>{text.openImport}</Button>
      </div>
    )
  return (
    <Suspense fallback={<p role="status">{text.import}</p>}>
      <ImportPart />
    </Suspense>
  )
}

const MarkdownEditor = lazy(async () => ({
  default: (await import('../../ui/rich/markdown-editor.tsx')).MarkdownEditor,
}))

/** The text of the home page, with an optional preview. */
function HomePart({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(adminSettingsMessages)
  const fileLinks = useFileLinks()
  const error = form.errors['homeContent']
  return (
    <Setting form={form} name="homeContent">
      <Suspense fallback={<Skeleton rows={1} height="14rem" />}>
        <MarkdownEditor
          label={text.names.homeContent}
          {...fileLinks}
          value={form.values.homeContent}
          onChange={(homeContent) => form.set({ homeContent })}
        />
      </Suspense>
      {error && <FieldError id="home-error">{error}</FieldError>}
      <MarkdownPreview text={form.values.homeContent} />
    </Setting>
  )
}

const TIMES = ['startTime', 'endTime'] as const

/** Start, end and duration of the event, and the immediate effect of a change. */
function TimesPart({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(adminSettingsMessages)
  const { startTime, endTime } = form.values
  const length = endTime - startTime
  return (
    <>
      <div className={styles.pair}>
        {TIMES.map((name) => (
          <Setting key={name} form={form} name={name}>
            <DateTime
              name={name}
              label={text.names[name]}
              value={fieldTimeOf(form.values[name])}
              error={form.errors[name]}
              onChange={(at) => form.set({ [name]: draftTimeOf(at) })}
            />
          </Setting>
        ))}
      </div>
      {length > 0 && length < INCOMPLETE && <p className={styles.note}>{text.lasts(partsOf(length))}</p>}
      <Follows form={form} />
    </>
  )
}

/** Rendered from the start, so that screen readers announce changes. */
function Follows({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(adminSettingsMessages)
  const consequence = useConsequence()
  const saved = valuesOf(form.saved)
  // Re-renders when the clock passes a start or end time.
  useTimed((now) => phaseAt(saved, now))
  useTimed((now) => phaseAt(form.values, now))
  const what = consequence(saved, form.values)
  return (
    <div role="status" className={styles.follows}>
      {what && (
        <p>
          <Icon name="alert" /> {text.onSave} {what.text}
        </p>
      )}
    </div>
  )
}
