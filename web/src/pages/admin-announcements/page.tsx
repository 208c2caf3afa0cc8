import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { adminAnnouncementsMessages } from '../../text/en/admin-announcements.ts'
import { useMessages, useFormat } from '../../text/messages.ts'
import styles from './admin-announcements.module.css'
import { Editor } from './editor.tsx'
import {
  adminAnnouncementsQuery,
  type AdminAnnouncement,
  historyQuery,
  type EarlierVersion,
} from './queries.ts'
import { deleteAnnouncement } from '@pennant/contract/announcements.ts'
import { send } from '../../api/client.ts'
import { DeleteDialog } from '../../account/delete-dialog.tsx'
import { ToForm } from '../../organisers/empty-list.tsx'
import { useTimed } from '../../state/clock.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { targetOf } from './draft.ts'
import { EmptyState } from '../../ui/states/messages.tsx'

/** Writes, schedules, edits and deletes announcements. */
export function Component() {
  const text = useMessages(adminAnnouncementsMessages)
  const query = useQuery(adminAnnouncementsQuery)
  const [edited, setEdited] = useState<AdminAnnouncement | null>(null)
  const [saves, setSaves] = useState(0)
  // From a message that is worth announcing.
  const start = (useLocation().state as { announce?: { title: string; content: string } } | null)?.announce
  const edit = useEdit(edited, setEdited)
  return (
    <OrganiserPage title={text.page}>
      <div className={styles.narrow}>
        {/* What was typed of a new one stays while another is edited. */}
        <div hidden={edited !== null}>
          <Editor
            key={saves}
            stored={null}
            onDone={() => setSaves(saves + 1)}
            start={saves === 0 ? start : undefined}
          />
        </div>
        {edited && <Editor key={edited.id} stored={edited} onDone={() => setEdited(null)} />}
      </div>
      {query.data ? (
        <AnnouncementTable rows={query.data} isEditing={edited !== null} onEdit={edit} />
      ) : (
        <Waiting query={query} rows={4} />
      )}
      <LeaveGuard />
    </OrganiserPage>
  )
}

/** Returns the handler of the edit buttons. The focus returns to the button when the edit ends. */
function useEdit(edited: AdminAnnouncement | null, onEdit: (row: AdminAnnouncement) => void) {
  const from = useRef<Element>(null)
  useEffect(() => {
    if (edited || !(from.current instanceof HTMLElement)) return
    from.current.focus()
    from.current = null
  }, [edited])
  return (row: AdminAnnouncement) => {
    from.current = document.activeElement
    onEdit(row)
  }
}

interface TableProps {
  readonly rows: readonly AdminAnnouncement[]
  /** One of them is being edited. */
  readonly isEditing: boolean
  readonly onEdit: (row: AdminAnnouncement) => void
}

/** All announcements, scheduled ones too, newest first. */
function AnnouncementTable({ rows, isEditing, onEdit }: TableProps) {
  const text = useMessages(adminAnnouncementsMessages)
  const [shown, setShown] = useState<AdminAnnouncement | null>(null)
  const [going, setGoing] = useState<AdminAnnouncement | null>(null)
  const columns = useColumns({ isEditing, onEdit, onHistory: setShown, onDelete: setGoing })
  return (
    <>
      <DataTable
        cards
        label={text.page}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        empty={<EmptyState action={<ToForm>{text.new}</ToForm>}>{text.none}</EmptyState>}
      />
      {shown && (
        <Dialog open size="medium" onClose={() => setShown(null)} title={text.historyOf(shown.title)}>
          <History id={shown.id} />
        </Dialog>
      )}
      {going && (
        <DeleteDialog
          title={text.deleteOf(going.title)}
          about={text.deleteAbout}
          deleted={text.deleted(going.title)}
          request={() => send(deleteAnnouncement, { params: { id: going.id } })}
          queryKey={adminAnnouncementsQuery.queryKey}
          onClose={() => setGoing(null)}
        />
      )}
    </>
  )
}

interface ColumnOptions {
  readonly isEditing: boolean
  readonly onEdit: (row: AdminAnnouncement) => void
  readonly onHistory: (row: AdminAnnouncement) => void
  readonly onDelete: (row: AdminAnnouncement) => void
}

function useColumns({ isEditing, onEdit, onHistory, onDelete }: ColumnOptions): Column<AdminAnnouncement>[] {
  const text = useMessages(adminAnnouncementsMessages)
  const format = useFormat()
  const minute = useTimed((now) => Math.floor(now / 1000))
  return [
    { id: 'title', head: text.title, cell: ({ title }) => <span className="pn-words">{title}</span> },
    {
      id: 'audience',
      head: text.audience,
      cell: (row) => <Audience of={row} />,
    },
    { id: 'severity', head: text.severity, cell: ({ severity }) => text.severities[severity] },
    {
      id: 'publishAt',
      head: text.published,
      cell: ({ publishAt, pinned }) => (
        <>
          <time dateTime={new Date(publishAt).toISOString()}>{format.dateTime(publishAt)}</time>
          {publishAt > (minute + 1) * 1000 && ` · ${text.scheduled}`}
          {pinned && ` · ${text.isPinned}`}
        </>
      ),
    },
    {
      id: 'actions',
      head: text.actions,
      stays: true,
      cell: (row) => (
        <div className={styles.line}>
          <Button
            aria-label={text.editTitle(row.title)}
            disabledBecause={isEditing ? text.editingAnother : undefined}
            onClick={() => onEdit(row)}
          >
            {text.edit}
          </Button>
          {row.version > 1 && (
            <Button aria-label={text.historyOf(row.title)} onClick={() => onHistory(row)}>
              {text.history}
            </Button>
          )}
          <Button
            tone="danger"
            icon="trash"
            aria-label={text.deleteOf(row.title)}
            onClick={() => onDelete(row)}
          >
            {text.delete}
          </Button>
        </div>
      ),
    },
  ]
}

/** Who sees it: the kind, and the name of the division, team or challenge, or its id if there is no name. */
function Audience({ of: { audience, audienceName } }: { readonly of: AdminAnnouncement | EarlierVersion }) {
  const text = useMessages(adminAnnouncementsMessages)
  const kind = text.audiences[audience.kind]
  if (audience.kind === 'all') return kind
  return (
    <>
      {kind}: <bdi>{audienceName ?? targetOf(audience)}</bdi>
    </>
  )
}

/** The versions that edits replaced, newest first. */
function History({ id }: { readonly id: string }) {
  const query = useQuery(historyQuery(id))
  if (!query.data) return <Waiting query={query} rows={3} />
  return (
    <ol className={styles.history}>
      {query.data.earlier.map((each) => (
        <li key={each.version}>
          <Earlier version={each} />
        </li>
      ))}
    </ol>
  )
}

function Earlier({ version }: { readonly version: EarlierVersion }) {
  const text = useMessages(adminAnnouncementsMessages)
  const format = useFormat()
  const { title, content, severity, pinned, forward, publishAt, replacedAt, replacedByName } = version
  const when = format.dateTime(replacedAt)
  return (
    <>
      <p>{replacedByName === null ? text.replaced(when) : text.replacedBy(when, replacedByName)}</p>
      <b>{title}</b>
      <p>
        {text.severities[severity]} · <Audience of={version} /> ·{' '}
        {text.publishedAt(format.dateTime(publishAt))}
        {pinned && ` · ${text.isPinned}`}
        {forward && ` · ${text.isForwarded}`}
      </p>
      <pre className={styles.source}>{content}</pre>
    </>
  )
}
