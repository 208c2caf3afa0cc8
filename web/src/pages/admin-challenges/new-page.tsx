import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useMay } from '../../api/use-contest.ts'
import { LeaveGuard } from '../../layout/leave-guard.tsx'
import { OrganiserPage } from '../../layout/organiser-list/organiser-page.tsx'
import { useFailureMessage } from '../../layout/organiser-list/use-failure-message.ts'
import { paths } from '../../paths.ts'
import { adminChallengesMessages } from '../../text/en/admin-challenges.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Combobox } from '../../ui/fields/combobox.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import styles from './challenges.module.css'
import { bodyOf, DRAFT_FIELDS, idFor, NEW_DRAFT } from './draft.ts'
import { allChallengesQuery, challengesKey, writeChallenge } from './queries.ts'
import { categoriesOf } from './state-of.ts'

/** Route of this page: a challenge with this id could not be opened. */
const RESERVED = 'new'

interface NewChallenge {
  readonly name: string
  readonly category: string
  /** Null: derived from category and name. */
  readonly id: string | null
}

/** Creates a hidden challenge from a name, a category and an id; everything else is set in the editor. */
export function Component() {
  const text = useMessages(adminChallengesMessages)
  const mayWrite = useMay('challsRead', 'challsWrite')
  return (
    <OrganiserPage title={text.new}>
      <Link to={paths.adminChallenges()}>{text.toList}</Link>
      {mayWrite ? <NewForm /> : <p>{text.readOnly}</p>}
    </OrganiserPage>
  )
}

function NewForm() {
  const text = useMessages(adminChallengesMessages)
  const known = useQuery(allChallengesQuery).data ?? []
  const [isMade, setMade] = useState(false)
  const make = useMake(() => setMade(true))
  const form = useForm<NewChallenge>({
    initial: { name: '', category: '', id: null },
    validate(values) {
      const id = idOf(values)
      const isTaken = id === RESERVED || known.some((challenge) => challenge.id === id)
      return {
        name: values.name.trim() === '' ? text.nameMissing : undefined,
        id: id === '' ? text.idMissing : isTaken ? text.idTaken : undefined,
      }
    },
    submit: make.run,
  })
  return (
    <form className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <p>{text.newAbout}</p>
      <Combobox
        free
        label={text.fields.category}
        choices={categoriesOf(known).map((value) => ({ value, label: value }))}
        {...form.field('category')}
      />
      <TextInput label={text.fields.name} required {...form.field('name')} />
      <TextInput
        mono
        required
        maxLength={255}
        label={text.id}
        {...form.field('id')}
        value={idOf(form.values)}
        onChange={(id) => form.set({ id })}
      />
      {make.failure && <p role="alert">{make.failure}</p>}
      <div>
        <Button type="submit" tone="primary" busy={form.isSubmitting}>
          {text.create}
        </Button>
      </div>
      <LeaveGuard isDirty={form.isDirty && !isMade} />
    </form>
  )
}

function idOf({ id, category, name }: NewChallenge): string {
  return id ?? idFor(category, name)
}

function useMake(onMade: () => void) {
  const why = useFailureMessage()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<string | null>(null)
  const run = async (values: NewChallenge) => {
    const id = idOf(values)
    const draft = { ...NEW_DRAFT, name: values.name, category: values.category }
    const reason = await why(writeChallenge(id, bodyOf(draft, DRAFT_FIELDS)))
    setFailure(reason)
    if (reason !== null) return
    onMade()
    await client.invalidateQueries({ queryKey: challengesKey })
    void navigate(paths.adminChallenge(id), { replace: true })
  }
  return { run, failure }
}
