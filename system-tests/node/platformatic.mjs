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
await admin.deleteTopics({ topics: [topic] })
await admin.close()
console.log(JSON.stringify(result))
