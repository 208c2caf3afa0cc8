import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useMay } from '../../api/use-contest.ts'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { adminWavesMessages } from '../../text/en/admin-waves.ts'
import { useMessages } from '../../text/messages.ts'
import styles from './admin-waves.module.css'
import { CheckPanel } from './check-panel.tsx'
import { Editor } from './editor.tsx'
import { wavesQuery, type Wave } from './queries.ts'
import { WaveTable } from './wave-table.tsx'

/** Creates, edits, moves and deletes waves. */
export function Component() {
  const text = useMessages(adminWavesMessages)
  const query = useQuery(wavesQuery)
  const [edited, setEdited] = useState<Wave | null>(null)
  const [saves, setSaves] = useState(0)
  const mayWrite = useMay('challsWrite')
  const [search, setSearch] = useSearchParams()
  const checked = query.data?.find(({ id }) => id === search.get('check'))
  const check = (id: string | null) => setSearch(id === null ? {} : { check: id }, { replace: true })
  const done = () => {
    setEdited(null)
    setSaves(saves + 1)
  }
  return (
    <OrganiserPage title={text.page}>
      {query.data ? (
        <WaveTable rows={query.data} mayWrite={mayWrite} onEdit={setEdited} onCheck={({ id }) => check(id)} />
      ) : (
        <Waiting query={query} rows={4} />
      )}
      {checked && (
        <CheckPanel key={checked.id} wave={checked} mayWrite={mayWrite} onClose={() => check(null)} />
      )}
      {mayWrite && (
        <div className={styles.narrow}>
          <Editor key={`${edited?.id} ${saves}`} stored={edited} waves={query.data ?? []} onDone={done} />
        </div>
      )}
    </OrganiserPage>
  )
}
