// What a program with @platformatic/kafka does: node platformatic.mjs HOST:PORT. Prints what came of it as one line of JSON.
import { randomUUID } from 'node:crypto'
import { Admin, Consumer, ListOffsetTimestamps, MessagesStreamModes, ProduceAcks, Producer, stringDeserializers, stringSerializers } from '@platformatic/kafka'

const COUNT = 200
const bootstrapBrokers = [process.argv[2]]
const topic = 'platformatic-' + randomUUID()
const groupId = 'platformatic-group-' + randomUUID()
const result = {}

const admin = new Admin({ clientId: 'platformatic-admin', bootstrapBrokers })
const created = await admin.createTopics({ topics: [topic], partitions: 3, replicas: 1 })
result.created = created.length === 1 && created[0].name === topic

const producer = new Producer({ clientId: 'platformatic-producer', bootstrapBrokers, serializers: stringSerializers, idempotent: true })
const messages = Array.from({ length: COUNT }, (_, i) => ({ topic, key: 'k' + (i % 10), value: 'v' + i, headers: { n: String(i) } }))
await producer.send({ messages: messages.slice(0, COUNT / 2), acks: ProduceAcks.ALL })
await producer.send({ messages: messages.slice(COUNT / 2), acks: ProduceAcks.ALL, compression: 'gzip' })
await producer.close()

async function readAll (groupProtocol) {
  const consumer = new Consumer({
    clientId: 'platformatic-consumer',
    groupId: groupId + '-' + groupProtocol,
    groupProtocol,
    bootstrapBrokers,
    deserializers: stringDeserializers,
    maxWaitTime: 200,
    autocommit: false
  })
  const stream = await consumer.consume({ topics: [topic], mode: MessagesStreamModes.EARLIEST })
  const deadline = setTimeout(() => stream.destroy(new Error(`${seen.length} of ${COUNT} messages after 60 s`)), 60000)
  const seen = []
  for await (const message of stream) {
    seen.push([message.key, message.value, message.headers.get('n')])
    if (seen.length % 50 === 0) await message.commit()
    if (seen.length === COUNT) break
  }
  clearTimeout(deadline)
  await consumer.close(true)
  return seen
}

const classic = await readAll('classic')
const modern = await readAll('consumer')
const intact = seen => seen.length === COUNT && seen.every(([k, v, n]) => v === 'v' + n && k === 'k' + (Number(n) % 10))
result.classic = intact(classic)
result.consumer = intact(modern)
const groups = await admin.listGroups({ types: ['classic', 'consumer'] })
result.listed = groups.has(groupId + '-classic') && groups.has(groupId + '-consumer')
const offsets = await admin.listOffsets({
  topics: [{ name: topic, partitions: [0, 1, 2].map(partitionIndex => ({ partitionIndex, timestamp: ListOffsetTimestamps.LATEST })) }]
})
result.end = offsets[0].partitions.reduce((sum, { offset }) => sum + Number(offset), 0)

// Two transactions that are committed, and one that is not between them.
const outcomes = topic + '-outcomes'
await admin.createTopics({ topics: [outcomes], partitions: 1, replicas: 1 })
const transactional = new Producer({
  clientId: 'platformatic-transactional',
  bootstrapBrokers,
  serializers: stringSerializers,
  idempotent: true,
  transactionalId: topic
})
for (const value of ['yes', 'no', 'yes']) {
  const transaction = await transactional.beginTransaction()
  await transaction.send({ messages: [{ topic: outcomes, partition: 0, value }], acks: ProduceAcks.ALL })
  await (value === 'yes' ? transaction.commit() : transaction.abort())
}
await transactional.close()
const reader = new Consumer({
  clientId: 'platformatic-reader',
  groupId: groupId + '-reader',
  bootstrapBrokers,
  deserializers: stringDeserializers,
  maxWaitTime: 200,
  autocommit: false
})
const committed = await reader.consume({ topics: [outcomes], mode: MessagesStreamModes.EARLIEST })
const patience = setTimeout(() => committed.destroy(new Error(`${result.committed} after 60 s`)), 60000)
result.committed = []
for await (const message of committed) {
  result.committed.push(message.value)
  if (result.committed.length === 2) break
}
clearTimeout(patience)
await reader.close(true)
await admin.deleteTopics({ topics: [topic, outcomes] })
await admin.close()
console.log(JSON.stringify(result))
