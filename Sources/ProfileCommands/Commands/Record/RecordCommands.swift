import ArgumentParser

/// The command `record`, which contains the subcommands for records.
struct RecordCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Read and change the records of any collection.",
        discussion: """
            A store has the collections users, weather and settings, and the collections of other programs; `store \
            info` lists them. A record is a JSON object. Saving or deleting a record updates all indexes. If a unique \
            index rejects a value, the command exits with 65.

            JSON
            A number with a fraction or an exponent is a real, any other number is an integer. null cannot be stored. \
            Values that JSON lacks are objects with a single member:

              {"$date":"2026-11-21T17:00:00Z"}  a point in time
              {"$data":"AQID"}                  bytes, in base64
              {"$real":"infinity"}              also -infinity and nan

            EXAMPLES
              profile-cli record list trips
              profile-cli record set trips kyoto '{"title":"Kyoto","days":3}'
              profile-cli record get trips kyoto | jq .title
            """,
        subcommands: [RecordGet.self, RecordList.self, RecordSet.self, RecordDelete.self])
}
