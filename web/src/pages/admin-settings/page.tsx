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
import { HomePart } from './home-part.tsx'
import { LookPart } from './look-part.tsx'
import { settingsQuery, type Both } from './queries.ts'
import { SaveBar } from './save-bar.tsx'
import styles from './settings.module.css'
import { SponsorsPart } from './sponsors-part.tsx'
import { TextSetting } from './text-setting.tsx'
import { TimesPart } from './times-part.tsx'
import { useSettings } from './use-settings.ts'

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
