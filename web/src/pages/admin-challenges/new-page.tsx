import { DEFAULT_FLAG_PROVIDER } from '@pennant/contract/admin-challenges.ts'
import { MAX_FLAG_LENGTH } from '@pennant/contract/submissions.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useMay } from '../../api/use-contest.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { OrganiserPage } from '../../organisers/organiser-page.tsx'
import { useFailureMessage } from '../../layout/use-failure-message.ts'
import { paths } from '../../paths.ts'
import { adminChallengesMessages } from '../../text/en/admin-challenges.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Radio } from '../../ui/fields/choices.tsx'
import { Combobox } from '../../ui/fields/combobox.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { cx } from '../../ui/cx.ts'
import { useForm } from '../../ui/form.ts'
import styles from './challenges.module.css'
import { bodyOf, DRAFT_FIELDS, idFor, NEW_DRAFT, type Draft } from './draft.ts'
import { allChallengesQuery, challengesKey, writeChallenge } from './queries.ts'
import { VISIBILITY_ICONS } from './release/release.ts'
import { categoriesOf } from './state-of.ts'

/** Route of this page: a challenge with this id could not be opened. */
const RESERVED = 'new'

/** A release time is set in the editor. */
const VISIBILITIES = ['hidden', 'now'] as const

interface NewChallenge {
  readonly name: string
  readonly category: string
  /** Null: derived from category and name. */
  readonly id: string | null
  /** The exact text that solves the challenge; empty: set later. */
  readonly flag: string
  readonly visibility: string
}

const EMPTY: NewChallenge = { name: '', category: '', id: null, flag: '', visibility: 'hidden' }

/** Creates a challenge with what it needs to be played; everything else is set in the editor. */
export function Component() {
  const text = useMessages(adminChallengesMessages)
  const mayWrite = useMay('challsRead', 'challsWrite')
  return (
    <OrganiserPage title={text.new}>
      <Link to={paths.adminChallenges()}>{text.allChallenges}</Link>
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
    initial: EMPTY,
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
    <form className={cx(styles.form, styles.narrow)} onSubmit={(event) => void form.submit(event)}>
      <p>{text.newAbout}</p>
      <TextInput autoFocus label={text.fields.name} required {...form.field('name')} />
      <Combobox
        free
        label={text.fields.category}
        choices={categoriesOf(known).map((value) => ({ value, label: value }))}
        {...form.field('category')}
      />
      <TextInput
        mono
        required
        maxLength={255}
        label={text.id}
        {...form.field('id')}
        value={idOf(form.values)}
        onChange={(id) => form.set({ id })}
      />
      <TextInput
        mono
        maxLength={MAX_FLAG_LENGTH}
        label={text.flags.value}
        help={text.newFlagHelp}
        {...form.field('flag')}
      />
      <Radio
        look="segments"
        label={text.visibility}
        choices={VISIBILITIES.map((value) => ({
          value,
          label: text.visibilities[value],
          icon: VISIBILITY_ICONS[value],
        }))}
        {...form.field('visibility')}
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

function draftFrom({ name, category, flag, visibility }: NewChallenge): Draft {
  const flags = flag === '' ? [] : [{ provider: DEFAULT_FLAG_PROVIDER, config: { flag } }]
  return { ...NEW_DRAFT, name, category, flags, hidden: visibility !== 'now' }
}

function useMake(onMade: () => void) {
  const why = useFailureMessage()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<string | null>(null)
  const run = async (values: NewChallenge) => {
    const id = idOf(values)
    const reason = await why(writeChallenge(id, bodyOf(draftFrom(values), DRAFT_FIELDS)))
    setFailure(reason)
    if (reason !== null) return
    onMade()
    await client.invalidateQueries({ queryKey: challengesKey })
    void navigate(paths.adminChallenge(id), { replace: true })
  }
  return { run, failure }
}
