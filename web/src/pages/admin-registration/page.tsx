import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useMay } from '../../api/use-contest.ts'
import { OrganiserPage } from '../../organisers/organiser-page.tsx'
import { inPlace, paths, withParams } from '../../paths.ts'
import { adminRegistrationMessages } from '../../text/en/admin-registration.ts'
import { useMessages } from '../../text/messages.ts'
import { Tabs } from '../../ui/layers/tabs.tsx'
import { Codes } from './codes.tsx'
import { TeamImport } from './team-import.tsx'
import { Queue } from './queue.tsx'

// Of organisers who may change settings.
const Fields = lazy(async () => ({ default: (await import('./fields.tsx')).Fields }))

export function Component() {
  const text = useMessages(adminRegistrationMessages)
  const [params, setParams] = useSearchParams()
  const maySet = useMay('settingsWrite')
  const change = (tab: string) => setParams(withParams(params, { tab }), inPlace({ tab }))
  return (
    <OrganiserPage title={text.title}>
      {maySet && (
        <p className="pn-flat">
          <Link to={`${paths.eventSettings()}#registration`}>{text.toSettings}</Link>
        </p>
      )}
      <Tabs
        label={text.title}
        value={params.get('tab') ?? 'queue'}
        onChange={change}
        tabs={[
          { id: 'queue', label: text.tabs.queue, content: <Queue /> },
          { id: 'codes', label: text.tabs.codes, content: <Codes /> },
          ...(maySet
            ? [
                {
                  id: 'fields',
                  label: text.tabs.fields,
                  content: (
                    <Suspense>
                      <Fields />
                    </Suspense>
                  ),
                },
              ]
            : []),
          { id: 'import', label: text.tabs.import, content: <TeamImport /> },
        ]}
      />
    </OrganiserPage>
  )
}
