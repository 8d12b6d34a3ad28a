import UserProfileKit

let location = try StorageLocation(CommandLine.arguments.dropFirst().first ?? "memory:")
let storage = try await UserProfileStorage.open(location)
try await storage.profiles.saveMailAddress(MailAddress("vision@example.com"))
try await storage.profiles.saveBirthday(Birthday("2011-08-01"), now: .now)
if let user = try await storage.users.find(.me), let address = user.mailAddress, let birthday = user.birthday {
    print("\(user.id) has the mail address \(address) and was born on \(birthday)")
}
await storage.close()
