import DataStoreCore
import Testing

extension DataStoreConformance {
    static let persistenceCases: [DataStoreConformance] = [
        .init(locations: "records exist after the store is reopened") { makeSubject in
            let subject = try await makeSubject()
            let key = try Key(collection: "values", id: "all \u{1} e\u{301}")
            let all = try Record(limitValues.enumerated().map { ("field \($0)", $1) })
            var store = try await subject.open()
            try await store.put(all, key)
            try await store.put([:], Key(collection: "values", id: "empty"))
            await store.close()
            for _ in 0..<2 {
                store = try await subject.open()
                let found = try await store.record(for: key)
                for (number, value) in limitValues.enumerated() {
                    try #require(found?["field \(number)"] == value, "\(value)")
                }
                #expect(found == all)
                #expect(try await store.record(for: Key(collection: "values", id: "empty")) == Record())
                #expect(try await store.ids(Scan("values")).count == 2)
                await store.close()
            }
        },
        .init(locations: "acknowledged writes are durable after closing") { makeSubject in
            for _ in 0..<count(3, full: 10) {
                let subject = try await makeSubject()
                let store = try await subject.open()
                let acknowledged = await withTaskGroup(of: Int?.self) { group in
                    for number in 0..<30 {
                        group.addTask {
                            do {
                                try await store.put([:], key("\(number)"))
                                return number
                            } catch {
                                #expect((error as? DataStoreError)?.code == .closed, "\(error)")
                                return nil
                            }
                        }
                    }
                    group.addTask {
                        await Task.yield()
                        await store.close()
                        return nil
                    }
                    return await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
                }
                let reopened = try await subject.open()
                let ids = try await reopened.ids(Scan("c"))
                #expect(Set(ids) == Set(acknowledged.map(String.init)))
                await reopened.close()
            }
        },
        .init(locations: "stores at one location see each other's writes and lose none") { makeSubject in
            let subject = try await makeSubject()
            let stores = [try await subject.open(), try await subject.open(), try await subject.open()]
            let key = try key("counter")
            for (number, writer) in stores.enumerated() {
                try await writer.put(["n": .integer(Int64(-number))], key)
                for reader in stores {
                    try #require(try await reader.record(for: key) == ["n": .integer(Int64(-number))])
                }
            }
            try await stores[0].put(["n": .integer(0)], key)
            try await increment(key, in: stores, tasks: 6, times: 20)
            for store in stores { try #require(try await store.record(for: key) == ["n": .integer(120)]) }
            await stores[0].close()
            try await increment(key, in: [stores[1]], tasks: 1, times: 1)
            #expect(try await stores[2].record(for: key) == ["n": .integer(121)], "the others remain open")
            for store in stores { await store.close() }
        },
        .init(locations: "a newer format is rejected and left unchanged") { makeSubject in
            let subject = try await makeSubject()
            try await subject.open().closing { try await $0.put(["a": .bool(true)], key("a")) }
            try await subject.raiseFormatVersion()
            let before = try await subject.snapshot()
            let error = await expect(.unsupportedFormat, "opening") { await (try subject.open()).close() }
            #expect(error?.path != nil)
            #expect(try await subject.snapshot() == before)
        },
        .init(locations: "a damaged record throws an error that names its key") { makeSubject in
            let subject = try await makeSubject()
            var store = try await subject.open()
            let key = try key("damaged")
            try await store.put(["text": .string("some text that is long enough to be damaged")], key)
            await store.close()
            try await subject.damage(key)
            let before = try await subject.snapshot()
            // A store may detect the damage when it opens or when it reads.
            let reading = await expect(.corrupted, "reading") {
                store = try await subject.open()
                _ = try await store.record(for: key)
            }
            #expect(reading.map { "\($0)".contains("c/damaged") } ?? false, "\(String(describing: reading))")
            _ = await expect(.corrupted, "scanning") {
                store = try await subject.open()
                _ = try await store.ids(Scan("c"))
            }
            _ = await expect(.corrupted, "changing") {
                store = try await subject.open()
                try await increment(key, in: [store], tasks: 1, times: 1)
            }
            _ = await expect(.corrupted, "replacing without reading") {
                store = try await subject.open()
                try await store.put(["text": .string("new")], key)
            }
            await store.close()
            #expect(try await subject.snapshot() == before, "the store is unchanged")
        },
    ]
}
