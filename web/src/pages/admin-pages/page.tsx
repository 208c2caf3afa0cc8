import { deletePage, orderPages } from '@pennant/contract/pages.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { DeleteDialog } from '../../account/delete-dialog.tsx'
import { send } from '../../api/client.ts'
import { titleOf } from '../../api/pages.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { useListAction } from '../../organisers/use-list-action.ts'
import { paths } from '../../paths.ts'
import { useLanguage } from '../../state/preferences.ts'
import { adminPagesMessages } from '../../text/en/admin-pages.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Acceptances } from './acceptances.tsx'
import styles from './admin-pages.module.css'
import { EditPage, NewPage } from './editor.tsx'
import { adminPagesQuery, type PageHead } from './queries.ts'

const NEW = 'new'

/** The pages of the organisers: the list, or the form of one. */
export function Component() {
  const { id } = useParams()
  const text = useMessages(adminPagesMessages)
  return (
    <OrganiserPage
      title={id === NEW ? text.new : text.page}
      aside={
        id === undefined ? (
          <Link to={paths.adminPage(NEW)}>{text.new}</Link>
        ) : (
          <Link to={paths.adminPages()}>{text.backToList}</Link>
        )
      }
    >
      {id === undefined ? <PageList /> : id === NEW ? <NewPage /> : <EditPage key={id} id={id} />}
      <LeaveGuard />
    </OrganiserPage>
  )
}

function PageList() {
  const text = useMessages(adminPagesMessages)
  const language = useLanguage()
  const query = useQuery(adminPagesQuery)
  const [shown, setShown] = useState<PageHead | null>(null)
  const [deleting, setDeleting] = useState<PageHead | null>(null)
  const action = useListAction(adminPagesQuery.queryKey)
  const { pages = [], teams = 0 } = query.data ?? {}
  const move = (page: PageHead, by: number) => {
    const ids = pages.map(({ id }) => id)
    const at = ids.indexOf(page.id)
    ids.splice(at, 1)
    ids.splice(at + by, 0, page.id)
    void action.run(send(orderPages, { body: { ids } }), text.moved)
  }
  const columns = useColumns({ pages, teams, move, onDelete: setDeleting, onAcceptances: setShown })
  if (!query.data) return <Waiting query={query} rows={4} />
  return (
    <>
      {action.failure && <p role="alert">{action.failure}</p>}
      <DataTable
        cards
        label={text.page}
        columns={columns}
        rows={pages}
        rowId={({ id }) => id}
        empty={
          <EmptyState action={<Link to={paths.adminPage(NEW)}>{text.new}</Link>}>{text.none}</EmptyState>
        }
      />
      {shown && (
        <Dialog
          open
          size="large"
          onClose={() => setShown(null)}
          title={text.acceptancesOf(titleOf(shown, language))}
        >
          <Acceptances page={shown} />
        </Dialog>
      )}
      {deleting && (
        <DeleteDialog
          title={text.deleteOf(titleOf(deleting, language))}
          about={text.deleteAbout}
          deleted={text.deleted(titleOf(deleting, language))}
          request={() => send(deletePage, { params: { id: deleting.id } })}
          queryKey={adminPagesQuery.queryKey}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  )
}

interface ColumnOptions {
  readonly pages: readonly PageHead[]
  readonly teams: number
  readonly move: (page: PageHead, by: number) => void
  readonly onDelete: (page: PageHead) => void
  readonly onAcceptances: (page: PageHead) => void
}

function useColumns(options: ColumnOptions): Column<PageHead>[] {
  const text = useMessages(adminPagesMessages)
  const format = useFormat()
  const language = useLanguage()
  return [
    {
      id: 'title',
      head: text.title,
      cell: (page) => (
        <Link to={paths.adminPage(page.id)} className="pn-words">
          <bdi>{titleOf(page, language)}</bdi>
        </Link>
      ),
    },
    { id: 'slug', head: text.address, cell: ({ slug }) => <code>{paths.page(slug)}</code> },
    { id: 'place', head: text.place, cell: ({ place }) => text.places[place] },
    {
      id: 'state',
      head: text.state,
      cell: ({ published, accepted }) => (
        <>
          {published ? text.published : text.draft}
          {accepted !== null && ` · ${text.accepted(format.number(accepted), format.number(options.teams))}`}
        </>
      ),
    },
    {
      id: 'actions',
      head: text.actions,
      stays: true,
      cell: (page) => <Actions page={page} title={titleOf(page, language)} {...options} />,
    },
  ]
}

interface ActionsProps extends ColumnOptions {
  readonly page: PageHead
  readonly title: string
}

function Actions({ page, title, pages, move, onDelete, onAcceptances }: ActionsProps) {
  const text = useMessages(adminPagesMessages)
  const at = pages.findIndex(({ id }) => id === page.id)
  return (
    <div className={styles.line}>
      {page.published && (
        <Link to={paths.page(page.slug)} aria-label={text.viewTitle(title)}>
          {text.view}
        </Link>
      )}
      {at > 0 && (
        <Button aria-label={text.moveUpTitle(title)} onClick={() => move(page, -1)}>
          {text.moveUp}
        </Button>
      )}
      {at < pages.length - 1 && (
        <Button aria-label={text.moveDownTitle(title)} onClick={() => move(page, 1)}>
          {text.moveDown}
        </Button>
      )}
      {page.acceptVersion !== null && (
        <Button aria-label={text.acceptancesOf(title)} onClick={() => onAcceptances(page)}>
          {text.acceptances}
        </Button>
      )}
      <Button tone="danger" icon="trash" aria-label={text.deleteOf(title)} onClick={() => onDelete(page)}>
        {text.delete}
      </Button>
    </div>
  )
}
